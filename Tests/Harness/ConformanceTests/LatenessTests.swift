import CacheSemantics
import Clocks
import LocatedYAML
import Scenarios
import Testing

@testable import Conformance

@Suite("Scenarios whose steps are late, RFC 9111 §4.2.3", .timeLimit(.minutes(20)))
struct LatenessTests {
    private static func scenario(
        _ fields: String,
        answer: String = "",
        steps: String = "- request: {path: /a}"
    ) throws -> Scenario {
        let text = """
            suite: s
            scenarios:
              - id: a
                title: t
                level: must
                rules: [rfc9111.4.2.fresh]
                origin:
                  - answer: {fields: {\(fields)}, body: one\(answer)}
                steps:
                  \(steps)
            """
        return try #require(try ScenarioDecoder.decode(text: text, path: "f.yaml").scenarios.first)
    }

    @Test(
        "A scenario may be late by a quarter of its smallest span, between half a second and fifteen",
        arguments: [
            ("Cache-Control: max-age=60", 15.0),
            ("Cache-Control: max-age=2", 0.5),
            ("Cache-Control: max-age=60, Age: '50'", 2.5),
            ("Cache-Control: max-age=60, Age: '59'", 0.5),
            ("Cache-Control: 'max-age=10, stale-while-revalidate=30'", 2.5),
            ("Expires: {date: +20s}", 5.0),
            ("ETag: '\"1\"'", 15.0),
        ]
    )
    func slack(_ fields: String, _ slack: Double) throws {
        #expect(try Self.scenario(fields).slack == slack)
    }

    @Test(
        "A scenario that compares ages may be late by at most a second",
        arguments: ["age: 0", "took: 0s", "fields: {Age: '0'}", "fields: {Date: {date: 0s}}"]
    )
    func measured(_ expectation: String) throws {
        let steps = "- {request: {path: /a}, expect: {\(expectation)}}"
        #expect(try Self.scenario("Cache-Control: max-age=60", steps: steps).slack == 1)
    }

    private static func record(_ startedAt: Double, arrivals: Int = 0, error: Int? = nil) -> StepRecord {
        let position = Position(file: "f.yaml", line: 1, column: 1)
        var record = StepRecord(number: 1, title: "t", position: position, startedAt: startedAt)
        var seen = CallerObservation()
        seen.error = error.map { ($0, "x") }
        record.exchanges = [CallerExchange(method: "GET", target: "/a", fields: [], seen: seen)]
        record.arrivals = Array(repeating: OriginExchange(.arrival()), count: arrivals)
        return record
    }

    @Test("Longer responses and longer waits than the scenario says are late")
    func late() throws {
        let steps = "- {request: {path: /a}}\n      - advance: 2s\n      - {request: {path: /a}}"
        let scenario = try Self.scenario("Cache-Control: max-age=1", steps: steps)
        // 0.5 s for the first response, 0.25 s after the end of the wait, 1 s for the last.
        let records = [Self.record(0, arrivals: 1), Self.record(0.5), Self.record(2.75)]
        #expect(abs(scenario.lateness(of: records, until: 3.75) - 1.75) < 1e-9)
    }

    @Test("Waits of the origin's script are not late, nor is a subject that does not respond")
    func notLate() throws {
        let slow = try Self.scenario("Cache-Control: max-age=1", answer: ", delay: 3s")
        #expect(slow.lateness(of: [Self.record(0, arrivals: 1)], until: 3.5) == 0.5)
        // A response from the store has no reason to be slow.
        #expect(slow.lateness(of: [Self.record(0)], until: 3.5) == 3.5)
        #expect(slow.lateness(of: [Self.record(0, error: -1001)], until: 10) == 0)
    }

    /// Returns a driver that is slow and responds wrongly in the first scenario that it gets.
    private static func driver(slow: Int) -> String {
        """
        import json, re, sys, time
        tokens = []
        for line in sys.stdin:
            q = json.loads(line)
            r = {"id": q["id"]}
            if q["op"] == "hello":
                r |= {"protocol": 1, "name": "slow", "version": "1", "kind": "private", "capabilities": []}
            elif q["op"] == "request":
                token = q["url"].split("/")[4]
                if token not in tokens:
                    tokens.append(token)
                if len(tokens) <= \(slow):
                    time.sleep(0.6)
                text = "late" if len(tokens) <= \(slow) else "one"
                r["response"] = {"status": 200, "fields": [], "body": {"text": text}}
            print(json.dumps(r), flush=True)
        """
    }

    @Test(
        "A late failure is rerun completely, and is a harness error if it is late each time",
        arguments: [(0, "passed", 0), (1, "passed", 1), (2, "passed", 2), (9, "harness-error", 3)]
    )
    func afresh(_ slow: Int, _ verdict: String, _ lateRuns: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/driver.py"
        try ProgramFiles.write(Self.driver(slow: slow), to: path)
        var options = RunOptions()
        let command = ["python3", path]
        let hello = DriverCapabilities(name: "slow", version: "1", kind: .private, capabilities: [])
        options.subject = .driver(Driver(command: command, hello: hello))
        options.checksConnectivity = false
        let scenario = """
            suite: s
            scenarios:
              - id: a
                title: t
                level: must
                rules: [rfc9111.4.2.fresh]
                cache: [private]
                origin:
                  - answer: {fields: {Cache-Control: max-age=2}, body: one}
                steps:
                  - request: {path: /a}
                    expect: {body: one}
            """
        let suite = try ScenarioDecoder.decode(text: scenario, path: "f.yaml", realTime: true)
        var results: [ScenarioResult] = []
        _ = try Runner([suite], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event { results.append(result) }
        }
        #expect(results.map(\.verdict.name) == [verdict])
        #expect(results.map(\.lateRuns.count) == [lateRuns])
        if lateRuns == 3 { #expect(results.first?.verdict.reason.hasPrefix("inconclusive") == true) }
    }
}
