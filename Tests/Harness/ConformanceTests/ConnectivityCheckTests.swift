import CacheSemantics
import Clocks
import HTTPServing
import MockOrigin
import PublicSuite
import Scenarios
import TestSupport
import Testing

@testable import Conformance

@Suite(
    "Whether a subject outside the process reaches the origin, before any scenario",
    .timeLimit(.minutes(20))
)
struct ConnectivityCheckTests {
    /// A subject's treatment of the exchange, and a part of the problem that must be reported; empty for none.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var fields = ["connectivity"]
        var body = "This is the origin's response to the connectivity check."
        var received: String? = "/connectivity"
        var error: (code: Int, text: String)?
        var isLost = false
        let problem: String
    }

    static let rows = [
        Row(testDescription: "unchanged", problem: ""),
        Row(
            testDescription: "nothing arrived",
            status: 502,
            received: nil,
            problem: "answered 502: no request reached the origin on port 9203; does the proxy forward there"
        ),
        Row(
            testDescription: "nobody listens",
            received: nil,
            error: (-1, "Failed to connect"),
            isLost: true,
            problem:
                "did not answer (Failed to connect): no request reached the origin on port 9203; is the proxy running"
        ),
        Row(
            testDescription: "no answer in time",
            received: nil,
            error: (-1001, "No response arrived in time."),
            problem: "does the proxy forward there"
        ),
        Row(testDescription: "an answer of its own", received: nil, problem: "no request reached the origin"),
        Row(testDescription: "a changed path", received: "/other", problem: "the origin received GET /other"),
        Row(
            testDescription: "another status",
            status: 502,
            problem: "the origin answered 200, and it answered 502"
        ),
        Row(
            testDescription: "a lost field",
            fields: [],
            problem: "X-Test: connectivity, and the response came without it"
        ),
        Row(
            testDescription: "a doubled field",
            fields: ["connectivity", "connectivity"],
            problem: "X-Test: connectivity"
        ),
        Row(
            testDescription: "changed content",
            body: "<p>hello</p>",
            problem: "12 bytes came that begin with"
        ),
    ]

    @Test("A problem names what was sent, what came, and the likely cause", arguments: rows)
    func problem(row: Row) throws {
        let item = try ConnectivityCheck.item(.shared)
        var seen = CallerObservation()
        seen.status = row.error == nil ? row.status : nil
        seen.error = row.error
        seen.fields = row.fields.map { ("X-Test", $0) }
        seen.body = Array(row.body.utf8)
        var step = StepRecord(number: 1, title: "GET", position: item.scenario.position, startedAt: 0)
        step.exchanges = [CallerExchange(method: "GET", target: "/connectivity", fields: [], seen: seen)]
        step.arrivals =
            row.received.map { path in
                [OriginExchange(Self.arrival(path))]
            } ?? []
        var result = ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: .shared,
            verdict: .passed
        )
        result.steps = [step]
        result.isSubjectLost = row.isLost
        let check = ConnectivityCheck(
            subject: "proxy http://127.0.0.1:9201",
            isClient: false,
            place: "on port 9203"
        )
        let problem = check.problem(in: result)
        if row.problem.isEmpty {
            #expect(problem == nil)
        } else {
            #expect(problem?.contains(row.problem) == true, "\(problem ?? "nothing")")
        }
    }

    private static func arrival(_ path: String) -> OriginObservation {
        var arrival = OriginObservation(method: "GET", path: path)
        arrival.answeredStatus = 200
        return arrival
    }

    @Test("A run with a subject at which nothing listens ends before its first scenario")
    func nothingListens() throws {
        var options = RunOptions()
        options.subject = .proxy("http://127.0.0.1:\(try OwnPort.next())")
        let text = """
            suite: s
            scenarios: [{id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [{request: {path: /a}}]}]
            """
        let suite = try ScenarioDecoder.decode(text: text, path: "f.yaml", realTime: true)
        var count = 0
        let error = #expect(throws: RunnerError.self) {
            _ = try Runner([suite], options: options, version: "1").run { _ in count += 1 }
        }
        #expect(
            error?.description.contains("is the proxy running, at this address?") == true,
            "\(error?.description ?? "no error")"
        )
        #expect(count == 0)
    }

    @Test(
        "A run of the public suite's tests alone ends before its first test, too, at our origin and at another"
    )
    func suiteAlone() throws {
        let file = try SuiteFile.decode(
            json: #"{"id":"s","tests":[{"id":"t","requests":[{}]}]}"#,
            file: "f.json"
        )
        var configuration = MockServer.Configuration()
        configuration.suite = .compatible
        let server = MockServer(configuration, clock: SystemClock())
        try server.start()
        defer { server.stop() }
        let other = "http://127.0.0.1:\(server.port ?? 0)"
        let rows = [
            (nil, "no request reached the origin", "is the proxy running, at this address?"),
            (other, "at \(other)", "does the proxy forward there"),
        ]
        for (origin, text, cause) in rows {
            var options = RunOptions()
            options.subject = .proxy("http://127.0.0.1:\(try OwnPort.next())")
            options.suiteOrigin = origin
            var count = 0
            let error = #expect(throws: RunnerError.self) {
                _ = try Runner([], publicSuites: [file], options: options, version: "1").run { event in
                    if case .scenarioFinished = event { count += 1 }
                }
            }
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "no error")")
            #expect(error?.description.contains(cause) == true)
            #expect(count == 0)
        }
    }
}
