import CacheSemantics
import Clocks
import LocatedYAML
import MockOrigin
import OriginScript
import Scenarios
import Testing

@testable import Conformance

/// A subject that answers requests for `/answered` with 200, and no others.
private struct SilentSubject: SubjectAdapter {
    private struct Exchange: SubjectExchange {
        func cancel() {}
    }
    var isBroken = false

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        var seen = CallerObservation()
        seen.status = 200
        seen.fields = request.fields
        if request.url.hasSuffix("/answered") { completion(seen) }
        return Exchange()
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation { CallerObservation() }
    func store(_ entry: SubjectEntry) throws(SubjectError) {}
    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) {}
    func restart() throws(SubjectError) {
        if isBroken { throw SubjectError("the folder is gone") }
    }
    func use(_ network: ClientNetwork) {}
    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) { completion() }
    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation {
        UsageObservation(memory: 10, disk: 20, files: 0, entries: 1)
    }
    func close() {}
}

@Suite("Steps of a scenario")
struct StepRunnerTests {
    private static func run(
        _ steps: String,
        subject: SilentSubject = SilentSubject(),
        activity: Activity = .quiet(waiting: ["port 5 waits at the origin"])
    ) throws -> (verdict: Verdict, steps: [StepRecord]) {
        let head = """
            suite: Test
            scenarios:
              - id: one
                title: It holds
                level: must
                rules: [rfc9111.4.2.fresh]
                steps:

            """
        let suite = try ScenarioDecoder.decode(text: head + steps, path: "scenarios/a/b.yaml")
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        var driver = ClockDriver(clock: clock, signal: Signal()) { activity }
        driver.timeout = .milliseconds(20)
        let server = MockServer(MockServer.Configuration(), clock: clock)
        let namespace = server.open(token: "t", routes: [], clock: clock, startedAt: clock.wallSeconds)
        let stage = ScenarioEnvironment(
            origin: NamespaceOrigin(namespace, port: 1),
            subject: subject,
            clock: clock,
            driver: driver,
            startedAt: 1_767_225_600
        )
        let runner = StepRunner(environment: stage)
        return (runner.run(try #require(suite.scenarios.first).steps), runner.records)
    }

    @Test("a step that waits for something impossible is a harness error that names what waits")
    func nothingCanHappen() throws {
        let (verdict, _) = try Self.run("      - request: {path: /a}\n")
        #expect(verdict == .harnessError("nothing can happen any more: GET /a; port 5 waits at the origin"))
    }

    @Test("a step that never becomes quiet is given up as a harness error")
    func watchdog() throws {
        let (verdict, _) = try Self.run("      - request: {path: /a}\n", activity: .busy("the loop has work"))
        #expect(verdict == .harnessError("gave up after 0.02 s of real time: GET /a: the loop has work"))
    }

    @Test("an unsupported step is a failed set-up")
    func setupFailed() throws {
        let (verdict, _) = try Self.run("      - client: restart\n", subject: SilentSubject(isBroken: true))
        #expect(verdict == .setupFailed("the folder is gone"))
    }

    @Test("the first step with a mismatch is the last")
    func stopsAtMismatch() throws {
        let steps = """
                  - advance: 61s
                  - request: {path: /answered}
                    expect: {status: 404, body: x}
                  - request: {path: /a}

            """
        let (verdict, records) = try Self.run(steps)
        #expect(verdict.mismatches.map(\.subject) == ["status", "body"])
        #expect(records.map(\.title) == ["advance 61 s", "GET /answered"])
        #expect(records.map(\.startedAt) == [0, 61])
    }

    @Test("times and names in field values are those of the step")
    func fields() throws {
        let steps = """
                  - repeat:
                      times: 2
                      steps:
                        - advance: 30s
                        - request: {path: /answered, fields: {If-Modified-Since: {date: 0s}, Referer: '${base}/x'}}
                  - usage: {memory: 10, disk: 20, entries: 1}

            """
        let (verdict, records) = try Self.run(steps)
        #expect(verdict == .passed)
        let fields = records.compactMap { $0.exchanges.first?.fields.map(\.value) }
        #expect(
            fields == [
                ["Thu, 01 Jan 2026 00:00:30 GMT", "/-/t/x"], ["Thu, 01 Jan 2026 00:01:00 GMT", "/-/t/x"],
            ]
        )
    }
}
