import CacheSemantics
import Conformance
import Mutants
import Scenarios
import Testing

@Suite("Killing of mutants")
struct MutantRunTests {
    private static let boundary = """
        suite: Boundary
        scenarios:
          - id: at-max-age
            title: A response with max-age=60 is not reused at age 60
            level: must
            rules: [rfc9111.4.2.fresh]
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: one}
            steps:
              - request: {path: /a}
              - advance: 60s
              - request: {path: /a}
                expect: {source: origin}
        """
    private static let lenient = """
        suite: Boundary
        scenarios:
          - id: long-after
            title: A response with max-age=60 is not reused at age 61
            level: must
            rules: [rfc9111.4.2.fresh]
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: one}
            steps:
              - request: {path: /a}
              - advance: 61s
              - request: {path: /a}
                expect: {source: origin}
        """
    private static let wrong = """
        suite: Boundary
        scenarios:
          - id: never
            title: A response with max-age=60 is not reused at age 1
            level: must
            rules: [rfc9111.4.2.fresh]
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: one}
            steps:
              - request: {path: /a}
              - request: {path: /a}
                expect: {source: origin}
        """

    private static func summary(_ text: String, all: Bool = false) throws -> MutantSummary {
        let suite = try ScenarioDecoder.decode(text: text, path: "scenarios/http/boundary.yaml")
        var options = MutantRun.Options()
        options.cacheKinds = [.private]
        options.findsAllKillers = all
        let mutants = Mutant.all.filter { $0.id == "max-age-off-by-one" }
        return try MutantRun(mutants, [suite], options: options).run()
    }

    @Test("A mutant is killed by a scenario for its rule, which the intact cache passes")
    func killed() throws {
        let summary = try Self.summary(Self.boundary)
        #expect(summary.killed == 1)
        #expect(summary.intactTrials == 1)
        #expect(summary.isGood)
        let killer = try #require(summary.results.first?.killers.first)
        #expect(killer.scenario.hasSuffix("at-max-age"))
        #expect(killer.rules == ["rfc9111.4.2.fresh"])
        #expect(killer.reason == "source: expected origin, seen memory")
    }

    @Test("A mutant that no scenario for its rule kills survives, and the report is not good")
    func survives() throws {
        let summary = try Self.summary(Self.lenient)
        #expect(summary.survivors.map(\.mutant.id) == ["max-age-off-by-one"])
        #expect(summary.results.first?.trials == 1)
        let report = MutantReport(summary, coversRules: false)
        #expect(!report.isGood)
        #expect(report.text(.text).contains("SURVIVES  max-age-off-by-one"))
        #expect(report.text(.json).contains(#""killed":false"#))
    }

    @Test("A scenario that the intact cache fails is reported, because it would count as a killer")
    func intact() throws {
        let summary = try Self.summary(Self.wrong)
        #expect(summary.intactFailures.count == 1)
        #expect(!summary.isGood)
    }

    @Test("A required rule without a killer makes a report bad, unless only some mutants were run")
    func coverage() throws {
        let summary = try Self.summary(Self.boundary)
        #expect(MutantReport(summary, coversRules: false).isGood)
        let report = MutantReport(summary, coversRules: true)
        #expect(!report.isGood)
        #expect(report.text(.markdown).contains("| rfc9111.4.2.fresh |"))
        #expect(report.text(.text).contains("rfc9111.4.1.star has no killer"))
        let covered = summary.coverage().filter { !$0.mutants.isEmpty }
        #expect(covered.map(\.rule.id) == ["rfc9111.4.2.fresh"])
    }

    @Test("The page escapes defects and reasons")
    func page() throws {
        let text = MutantReport(try Self.summary(Self.boundary), coversRules: false).text(.html)
        #expect(text.hasPrefix("<!DOCTYPE html>"))
        #expect(text.contains("<td>max-age-off-by-one</td>"))
    }
}
