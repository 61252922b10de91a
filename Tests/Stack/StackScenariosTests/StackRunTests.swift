import LocatedYAML
import Scenarios
import StackScenarios
import Testing

@testable import Conformance

@Suite("Scenarios of the networking stack, end to end")
struct StackRunTests {
    private static func run(_ steps: String, _ head: String = "") throws -> ScenarioResult {
        let text = """
            suite: Test
            scenarios:
              - id: one
                title: It holds
                level: must
                rules: [sqfetch.chain.two-states]
                stack: {profile: sqFetch}
                origin:
                  - {path: /slow, answer: {content-type: application/json, delay: 2s, body: '{"id": 7}'}}
                  - {path: /stalled, answer: {content-type: application/json, hold: head, body: '{}'}}
                  - {path: /bad, answer: {status: 500}}
                  - answer: {content-type: application/json, body: '{}'}
            \(head)
                steps:

            """
        let suite = try ScenarioDecoder.decode(
            text: text + steps,
            path: "scenarios/a/b.yaml",
            language: .withStack()
        )
        var results: [ScenarioResult] = []
        _ = try Runner([suite], options: RunOptions(), version: "test").run { event in
            if case .scenarioFinished(let result) = event { results.append(result) }
        }
        return try #require(results.first)
    }

    @Test("A chain with an unexpected outcome fails, and the report has its course")
    func course() throws {
        let result = try Self.run(
            """
                  - stack:
                      chain: {order: concurrent, requests: [{name: a, path: /slow}, {name: b, path: /b}]}
                      expect: {course: [send a, end a, send b, end b]}
            """
        )
        #expect(result.verdict.mismatches.map(\.subject) == ["course"])
        #expect(result.verdict.mismatches.first?.seen == "send a, send b, end b, end a")
        let step = try #require(result.steps.first)
        #expect(Transcript.course(of: step) == "+0 s send a, +0 s send b, +0 s end b, +2 s end a")
        #expect(Transcript.lines(of: result).contains { $0.contains("course: +0 s send a") })
        #expect(HTMLScenario(catalogue: .standard).details(result).contains("+2 s end a"))
        #expect(step.exchanges.map(\.target) == ["/slow", "/b"])
    }

    @Test("A request that fails unexpectedly fails the scenario")
    func failure() throws {
        let result = try Self.run("      - stack: {chain: {requests: [{path: /bad}]}}\n")
        #expect(result.verdict.mismatches.map(\.subject) == ["1: outcome"])
        #expect(result.verdict.name == "failed")
    }

    @Test("A started operation continues during other steps, and ends in the step that waits for it")
    func begun() throws {
        let result = try Self.run(
            """
                  - stack: {batch: {requests: [{path: /stalled}], start: one}}
                  - origin-saw: {requests: 1}
                  - advance: 5s
                  - release: all
                  - stack:
                      finish: one
                      expect: {completed: 1, took: 5s}
            """
        )
        #expect(result.verdict == .passed)
    }

    @Test("A restart while an operation is running is an error, not a verdict")
    func restart() throws {
        let result = try Self.run(
            """
                  - stack: {batch: {requests: [{path: /stalled}], start: one}}
                  - client: restart
                  - release: all
                  - stack: {finish: one}
            """
        )
        #expect(result.verdict.name == "setup-failed")
        #expect(result.verdict.reason.contains("\"one\" is still running"))
    }

    @Test("After a restart, the application cache keeps its entries, and memory is empty")
    func afterRestart() throws {
        let result = try Self.run(
            """
                  - stack: {chain: {requests: [{path: /a, cache-for: 60s}]}}
                  - client: restart
                  - stack: {chain: {requests: [{path: /a, load-cache: true, expect: {source: application}}]}}
            """
        )
        #expect(result.verdict == .passed)
    }

    @Test("Subjects in other processes skip such scenarios")
    func outside() throws {
        let text = suiteText("- stack: {chain: {requests: [{path: /a}]}}")
        let suite = try ScenarioDecoder.decode(text: text, path: "scenarios/a/b.yaml", language: .withStack())
        let obstacle = suite.scenarios[0].obstacle(outside: SubjectAbilities())
        #expect(obstacle == "The scenario uses the networking stack, which requires the built-in client.")
    }

    private func suiteText(_ steps: String) -> String {
        "suite: Test\nscenarios:\n  - id: one\n    title: T\n    level: must\n    rules: [sqfetch.chain.two-states]\n"
            + "    steps:\n      " + steps + "\n"
    }
}
