import Conformance
import Locks
import Testing

/// A subject that sends everything to the origin and records the times on the scenario's clock.
private struct ForwardingSubject: Subject {
    let context: SubjectContext
    let times: Lock<[Double]>

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        times.withLock { $0.append(context.clock.wallSeconds) }
        if request.url.hasSuffix("/error") { throw SubjectError("out of order") }
        return try await context.send(request)
    }
}

@Suite("A cache in this process as the subject", .timeLimit(.minutes(20)))
struct InProcessSubjectTests {
    private let times = Lock<[Double]>([])

    private func run(_ scenario: Scenario) async throws -> ScenarioResult {
        try await scenario.run { [times] in ForwardingSubject(context: $0, times: times) }
    }

    @Test("What the origin answers is what the caller sees, with its source inferred")
    func passing() async throws {
        let step = "{request: {path: /a}, expect: {status: 200, body: one, source: origin}}"
        let result = try await run(oneScenario(step))
        #expect(result.verdict == .passed, "\(result.explanation)")
        #expect(result.conforms)
    }

    @Test("Gzip is decoded for the caller, as clients do")
    func decoding() async throws {
        let step = "{request: {path: /a, fields: {Accept-Encoding: gzip}}, expect: {body: one}}"
        let result = try await run(oneScenario(step, answer: "{body: one, gzip: true}"))
        #expect(result.verdict == .passed, "\(result.explanation)")
    }

    @Test("The scenario moves the subject's clock, without waiting")
    func clock() async throws {
        let result = try await run(oneScenario("{request: {path: /a}}, {advance: 1h}, {request: {path: /a}}"))
        #expect(result.verdict == .passed)
        let seen = times.withLock { $0 }
        #expect(seen.count == 2)
        #expect((3600..<3660).contains((seen.last ?? 0) - (seen.first ?? 0)))
    }

    @Test("A thrown error is no response, and its text is reported")
    func throwing() async throws {
        let result = try await run(oneScenario("{request: {path: /error}, expect: {status: 200}}"))
        #expect(!result.conforms)
        #expect(result.explanation.contains("out of order"))
    }

    @Test(
        "An error that the subject throws in a setup step is a failure, and not a reason to skip the scenario"
    )
    func throwingEarly() async throws {
        let result = try await run(oneScenario("{request: {path: /error}}"))
        #expect(result.verdict.name == "setup-failed")
        #expect(result.verdict.reason.contains("out of order"))
        #expect(!result.conforms)
    }

    @Test("The direct transport is refused by its name")
    func direct() async throws {
        var options = RunOptions()
        options.transport = .direct
        let times = times
        options.subject = .inProcess(InProcessSubject("S 1") { ForwardingSubject(context: $0, times: times) })
        let scenario = try oneScenario("{request: {path: /a}}")
        let error = await #expect(throws: RunnerError.self) {
            try await Runner([scenario], options: options).run()
        }
        #expect(
            error?.description
                == #"The transport "direct" is for the built-in client only; S 1 needs "loopback"."#
        )
    }

    @Test("A subject that stores nothing fails no required scenario, even without those that it depends on")
    func storingNothing() async throws {
        var options = RunOptions()
        let times = times
        options.subject = .inProcess(InProcessSubject("S 1") { ForwardingSubject(context: $0, times: times) })
        options.jobs = options.subject.defaultJobs(cores: 2)
        var scenarios = try Scenario.load("scenarios/http", level: .must)
        for index in scenarios.indices { scenarios[index].dependencies = [] }
        var count = 0
        for try await event in Runner(scenarios, options: options).events {
            guard case .scenarioFinished(let result) = event else { continue }
            #expect(result.conforms, "\(result.explanation)")
            count += 1
        }
        #expect(count > 500)
    }

    /// A subject that counts how often it is closed.
    private struct ClosingSubject: Subject {
        let context: SubjectContext
        let closed: Lock<[String]>

        func respond(to request: SubjectRequest) async throws -> SubjectResponse {
            try await context.send(request)
        }

        func close() async { closed.withLock { $0.append(context.origin) } }
    }

    @Test("Each subject is closed once, before the run of its scenario ends")
    func closing() async throws {
        let closed = Lock<[String]>([])
        let scenario = try oneScenario("{request: {path: /a}}, {request: {path: /b}, expect: {status: 500}}")
        for count in 1...2 {
            _ = try await scenario.run { ClosingSubject(context: $0, closed: closed) }
            #expect(closed.withLock { $0.count } == count)
        }
    }

    @Test("A subject that cannot be created is no verdict on it")
    func uncreated() async throws {
        let result = try await oneScenario("{request: {path: /a}}").run { _ in throw SubjectError("no store")
        }
        #expect(result.verdict == .harnessError("the subject cannot be created: no store"))
        #expect(!result.conforms)
    }

    @Test("A scenario for the other kind of cache is skipped")
    func otherKind() async throws {
        let result = try await run(oneScenario("{request: {path: /a}}", cache: "shared"))
        #expect(result.verdict == .skipped(reason: "The scenario does not apply to private caches."))
        #expect(result.conforms)
    }

    @Test("A scenario that needs what the subject cannot do is skipped", arguments: ["{client: restart}"])
    func capabilities(step: String) async throws {
        let result = try await run(oneScenario("{request: {path: /a}}, " + step))
        #expect(result.verdict.name == "skipped")
        #expect(result.conforms)
    }

    @Test("A run's events are its start, its results and its end")
    func events() async throws {
        var options = RunOptions()
        let times = times
        options.subject = .inProcess(InProcessSubject("S 1") { ForwardingSubject(context: $0, times: times) })
        let suite = Suite(path: "s", title: "S", scenarios: [try oneScenario("{request: {path: /a}}")])
        var names: [String] = []
        for try await event in Runner([suite], options: options, version: "").events {
            switch event {
            case .runStarted(let run): names.append("\(run.subject), \(run.transport), \(run.count)")
            case .scenarioFinished(let result): names.append(result.verdict.name)
            case .runFinished(let summary): names.append("\(summary.total.passed) passed")
            }
        }
        #expect(names == ["S 1, loopback, 1", "passed", "1 passed"])
    }
}

/// Returns a scenario with these steps for an origin that always sends the same answer.
func oneScenario(_ steps: String, answer: String = "{body: one}", cache: String = "private") throws
    -> Scenario
{
    let text = """
        suite: S
        scenarios:
          - id: a
            title: T
            level: must
            rules: [rfc9110.7.7.target]
            cache: [\(cache)]
            origin: [{answer: \(answer)}]
            steps: [\(steps)]
        """
    return try ScenarioDecoder.decode(text: text, path: "scenarios/s.yaml").scenarios[0]
}
