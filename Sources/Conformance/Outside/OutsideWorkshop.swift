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
    private let starts = Lock(Starts())

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
        do throws(SubjectError) {
            return perform(scenario, on: try subject.prepare(scenario))
        } catch {
            let verdict = Verdict.harnessError("the subject cannot be used: \(error)")
            return Outcome(verdict: verdict, isSubjectLost: true)
        }
    }

    private func perform(_ scenario: Scenario, on prepared: PreparedSubject) -> Outcome {
        if prepared.leap == nil, scenario.advancedTime > .zero { awaitPhase() }
        let startedAt = prepared.clock.wallSeconds
        let namespace = server.open(
            token: token(),
            routes: scenario.routes,
            clock: prepared.clock,
            startedAt: startedAt,
            faults: FaultPlan(faults: scenario.faults, seed: options.seed, scope: scenario.id)
        )
        if options.keepsWire { namespace.keepWire() }
        let origin = NamespaceOrigin(namespace, port: server.port)
        defer { origin.close() }
        let open = prepared.open(origin)
        defer { open.subject.close() }
        let steps = StepRunner(stage: stage(prepared, open, startedAt: startedAt, namespace))
        let verdict = steps.run(scenario.steps).judged(
            of: scenario,
            steps.records,
            subject.abilities
        )
        var outcome = Outcome(verdict: verdict, steps: steps.records)
        outcome.isSubjectLost = open.subject.breakdown != nil
        outcome.wire = namespace.wireLog.replacing(origin.portText, with: ":PORT")
        return outcome
    }

    /// Waits for the first half of a second.
    ///
    /// Caches count whole seconds, and waits are whole seconds: what begins late in one would end in this second or the
    /// next as the machine is busy or not, and verdicts would flap. For the same reason only so many begin in a second.
    private func awaitPhase() {
        let signal = Signal()
        while true {
            let now = clock.wallSeconds
            let phase = now.truncatingRemainder(dividingBy: 1)
            if (0.05...0.4).contains(phase), starts.withLock({ $0.admits(in: Int(now)) }) { return }
            let rest = phase < 0.05 ? 0.05 - phase : 1.05 - phase
            _ = signal.wait(after: 0, until: clock.elapsed + .seconds(rest))
        }
    }

    private func stage(
        _ prepared: PreparedSubject,
        _ open: OpenSubject,
        startedAt: Double,
        _ namespace: OriginNamespace
    ) -> Stage {
        let signal = Signal()
        namespace.onActivity { signal.raise() }
        let driver = RealTimeDriver(
            clock: clock,
            signal: signal,
            patience: max(options.patience, subject.patience),
            leap: prepared.leap,
            begin: clock.elapsed
        ) { namespace.isAnswering }
        return Stage(
            origin: open.origin,
            subject: open.subject,
            clock: prepared.clock,
            driver: driver,
            startedAt: startedAt,
            unjudged: ["chunks", "events", "finding", "stale", "user-saw-redirects"],
            tolerance: 2,
            errorsAreResponses: subject.abilities.isClient
        )
    }

    private func token() -> String {
        nextToken.withLock { number in
            defer { number += 1 }
            return "\(prefix)-\(number)"
        }
    }
}

/// How many scenarios that wait have begun in one second.
private struct Starts {
    private static let limit = 150
    private var second = 0
    private var count = 0

    mutating func admits(in second: Int) -> Bool {
        if self.second != second { (self.second, count) = (second, 0) }
        count += 1
        return count <= Self.limit
    }
}
