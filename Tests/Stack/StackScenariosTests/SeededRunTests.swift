import Conformance
import OriginScript
import Scenarios
import StackScenarios
import Testing

@Suite("Runs with a seed", .timeLimit(.minutes(20)))
struct SeededRunTests {
    private static let scenarios = """
        suite: Test
        defaults: {level: check, rules: [rfc9111.4.2.fresh], cache: [private]}
        scenarios:
        """
            + """

              - id: upload
                title: A form
                stack: {profile: sjNetwork}
                origin: [{answer: {content-type: application/json, body: '{}'}}]
                steps:
                  - stack: {upload: {path: /a, items: [{file: images/image.jpg}]}}
            """
        + (1...24).map { number in
            """

              - id: random-\(number)
                title: Random faults
                faults:
                  - {at: before-head, do: {delay: 1s..2s}}
                  - {at: body, byte: 0..20, do: reset, chance: 50%}
                  - {at: before-head, do: {garbage: 5}, chance: 20%}
                origin:
                  - answer: {fields: {Cache-Control: no-store}, body: "01234567890123456789"}
                steps:
                  - parallel:
                      - request: {path: /a}
                        expect: {took: {at-least: 1s}}
                      - request: {path: /b}
                        expect: {took: {at-least: 1s}}
            """
        }.joined()

    private static func run(seed: UInt64, jobs: Int) throws -> (wire: String, decisions: [FaultDecision]) {
        let suite = try ScenarioDecoder.decode(
            text: scenarios,
            path: "scenarios/a/b.yaml",
            language: .withStack()
        )
        var options = RunOptions()
        (options.seed, options.jobs, options.recordsWireBytes) = (seed, jobs, true)
        var wire = ""
        var decisions: [FaultDecision] = []
        _ = try Runner([suite], options: options, version: "test").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            wire += result.name + "\n" + result.wire
            decisions += result.decisions
        }
        return (wire, decisions)
    }

    @Test("The same seed results in the same bytes on the wire, however many scenarios run concurrently")
    func sameSeed() throws {
        let one = try Self.run(seed: 7, jobs: 1)
        #expect(one.wire.contains("0123456789"))
        #expect(one.wire.contains("POST /a"))
        #expect(one.decisions.count >= 100)
        for jobs in [2, 24, 24] {
            let other = try Self.run(seed: 7, jobs: jobs)
            #expect(other.wire == one.wire)
            #expect(other.decisions == one.decisions)
        }
    }

    @Test("Another seed results in other decisions")
    func otherSeed() throws {
        #expect(try Self.run(seed: 1, jobs: 4).decisions != Self.run(seed: 2, jobs: 4).decisions)
    }

    @Test("A log that differs reports its first different line")
    func difference() throws {
        let log = try #require(DecisionLog(text: "# cachecheck decisions, seed 7\na\nb\n"))
        #expect(log.firstDifference(from: DecisionLog(seed: 7, lines: ["a", "b"])) == nil)
        let changed = log.firstDifference(from: DecisionLog(seed: 7, lines: ["a", "c"]))
        #expect(changed?.line == 3 && changed?.here == "b" && changed?.there == "c")
        let longer = log.firstDifference(from: DecisionLog(seed: 7, lines: ["a", "b", "c"]))
        #expect(longer?.line == 4 && longer?.here == nil && longer?.there == "c")
        #expect(log.firstDifference(from: DecisionLog(seed: 8, lines: ["a", "b"]))?.line == 1)
        #expect(DecisionLog(text: "a\n") == nil)
    }
}
