import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// Where scenarios are run against a subject outside the process, in real time.
final class OutsideWorkshop: Sendable {
    private let options: RunOptions
    private let clock = SystemClock()
    private let subject: any OutsideSubject
    private let server: MockServer
    private let prefix: String
    private let nextToken = Lock(1)

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        var configuration = MockServer.Configuration()
        configuration.server = options.originServer
        configuration.fixtureFolder = options.fixtureFolder
        server = MockServer(configuration, clock: clock)
        do throws(ServerError) {
            try server.start()
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
        do throws(SubjectError) {
            subject = try options.startSubject(originPort: server.port, clock: clock)
        } catch {
            server.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
        // A proxy may still hold what an earlier run has left under its tokens.
        var generator = SystemRandomNumberGenerator()
        prefix = String(generator.next(), radix: 36)
    }

    func close() {
        subject.close()
        server.stop()
    }

    /// Runs one scenario.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let begin = clock.elapsed
        let outcome = perform(item.scenario)
        var result = ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: item.cacheKind,
            verdict: outcome.verdict,
            steps: outcome.steps,
            seconds: (clock.elapsed - begin).seconds
        )
        result.isSubjectLost = outcome.isSubjectLost
        result.wire = outcome.wire
        return result
    }

    private struct Outcome {
        var verdict: Verdict
        var steps: [StepRecord] = []
        var isSubjectLost = false
        var wire = ""
    }

    private func perform(_ scenario: Scenario) -> Outcome {
        if let obstacle = scenario.obstacle(for: subject.abilities) {
            return Outcome(verdict: .skipped(reason: obstacle))
        }
        // The scenario begins on the clock of its subject, which is known only when that is ready.
        let clock = SettledClock(clock)
        let startedAt = clock.wallSeconds
        let namespace = server.open(
            token: token(),
            routes: scenario.routes,
            clock: clock,
            startedAt: startedAt,
            faults: FaultPlan(faults: scenario.faults, seed: options.seed, scope: scenario.id)
        )
        if options.keepsWire { namespace.keepWire() }
        let origin = NamespaceOrigin(namespace, port: server.port)
        defer { origin.close() }
        let open: OpenSubject
        do throws(SubjectError) {
            open = try subject.open(scenario, at: origin)
        } catch {
            let verdict = Verdict.harnessError("the subject cannot be used: \(error)")
            return Outcome(verdict: verdict, isSubjectLost: true)
        }
        defer { open.subject.close() }
        clock.settle(on: open.clock)
        let steps = StepRunner(stage: stage(open, startedAt: startedAt, namespace))
        let verdict = steps.run(scenario.steps)
        var outcome = Outcome(
            verdict: verdict.judged(at: scenario.level, steps.records),
            steps: steps.records
        )
        outcome.isSubjectLost = open.subject.breakdown != nil
        outcome.wire = namespace.wireLog.replacing(origin.portText, with: ":PORT")
        return outcome
    }

    private func stage(_ open: OpenSubject, startedAt: Double, _ namespace: OriginNamespace) -> Stage {
        let signal = Signal()
        namespace.onActivity { signal.raise() }
        let driver = RealTimeDriver(
            clock: clock,
            signal: signal,
            patience: options.patience,
            leap: open.leap
        ) { namespace.isAnswering }
        return Stage(
            origin: open.origin,
            subject: open.subject,
            clock: open.clock,
            driver: driver,
            startedAt: startedAt,
            unjudged: ["chunks", "events", "finding", "stale", "user-saw-redirects"],
            tolerance: 1
        )
    }

    private func token() -> String {
        nextToken.withLock { number in
            defer { number += 1 }
            return "\(prefix)-\(number)"
        }
    }
}

/// A clock that is handed out before it is known which it is.
private final class SettledClock: TimeSource {
    private let clock: Lock<any TimeSource>

    init(_ clock: any TimeSource) {
        self.clock = Lock(clock)
    }

    var wallSeconds: Double { current.wallSeconds }

    var elapsed: Duration { current.elapsed }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        current.schedule(after: delay, wake)
    }

    /// Goes by `clock` from now on; to be called before anybody has asked.
    func settle(on clock: any TimeSource) {
        self.clock.withLock { $0 = clock }
    }

    private var current: any TimeSource { clock.withLock { $0 } }
}
