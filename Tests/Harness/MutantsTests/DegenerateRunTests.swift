import CacheSemantics
import Mutants
import Scenarios
import Testing

@Suite("Scenarios that a client passes which is no working cache")
struct DegenerateRunTests {
    private static let head = """
        suite: s
        defaults: {level: must, rules: [rfc9111.4.2.fresh], cache: private}
        scenarios:

        """
    /// A response that must not be reused, and nothing to show that another would be.
    private static let vacuous = """
          - id: not-reused
            title: t
            origin: [{answer: {fields: {Cache-Control: no-store}, body: one}}]
            steps:
              - request: {path: /a}
              - request: {path: /a}
                expect: {source: origin}
              - origin-saw: {requests: 2}

        """
    private static let control = """
          - id: reused
            title: t
            origin: [{answer: {fields: {Cache-Control: max-age=60}, body: one}}]
            steps:
              - request: {path: /a}
              - request: {path: /a}
                expect: {source: cache}
              - advance: 61s
              - request: {path: /a}
                expect: {source: origin}

        """

    private static func summary(_ scenarios: String) throws -> DegenerateSummary {
        let suite = try ScenarioDecoder.decode(text: head + scenarios, path: "scenarios/http/s.yaml")
        return try DegenerateRun([suite]).run()
    }

    @Test("A scenario that expects a request to reach the origin is passed by a client that never stores")
    func neverStores() throws {
        let summary = try Self.summary(Self.vacuous)
        #expect(
            summary.undeclared.contains {
                $0.client == .neverStores && $0.name == "http/s/not-reused [private]"
            }
        )
        #expect(!summary.isGood)
        #expect(summary.text.contains("never-stores passes http/s/not-reused [private]"))
    }

    @Test("It is passed by none where it depends on one that shows reuse and its end")
    func guarded() throws {
        let guarded = Self.vacuous.replacing("title: t", with: "title: t\n    depends-on: [reused]")
        let summary = try Self.summary(Self.control + guarded)
        #expect(summary.undeclared == [])
        #expect(summary.isGood)
        #expect(summary.count == 8)
    }

    @Test("A pass is in order where the scenario gives the reason, and a reason without a pass is not")
    func declared() throws {
        let reason = "title: t\n    passes-for: {never-stores: r, always-validates: r, serves-forever: r}"
        let summary = try Self.summary(Self.vacuous.replacing("title: t", with: reason))
        #expect(summary.undeclared == [])
        #expect(summary.declared.count == 2)
        #expect(summary.stale.map(\.client) == [.servesForever])
        #expect(!summary.isGood)
    }

    @Test("A reason that is empty, or for another client, is refused")
    func refused() {
        for text in ["{never-stores: ''}", "{never: r}"] {
            #expect(throws: (any Error).self) {
                try Self.summary(
                    Self.vacuous.replacing("title: t", with: "title: t\n    passes-for: \(text)")
                )
            }
        }
    }
}
