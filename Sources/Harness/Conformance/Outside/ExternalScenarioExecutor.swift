import CacheSemantics
import Clocks
import HTTPServing
import LocatedYAML
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// Runs scenarios against a subject outside the process, in real time.
final class ExternalScenarioExecutor: Sendable {
    private let options: RunOptions
    private let clock = SystemClock()
    private let subject: any OutsideSubject
    private let server: MockServer
    private let prefix: String
    private let nextToken = Lock(1)
    private let admission: Admission

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        admission = Admission(jobs: options.jobs, clock: clock)
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
        // A proxy may still hold responses that an earlier run stored under its tokens.
        var generator = SystemRandomNumberGenerator()
        prefix = String(generator.next(), radix: 36)
        if options.hasPreflight { try checkSubject() }
    }

    /// Throws why no scenario can be judged, after closing everything.
    private func checkSubject() throws(RunnerError) {
        let problem: String?
        do throws(YAMLProblems) {
            let item = try Preflight.item(options.subject.usualKind ?? .shared)
            let title = options.subject.title(version: "")
            problem = Preflight(subject: title, isClient: options.subject.isClient, port: server.port)
                .problem(in: run(item))
        } catch {
            problem = "the preflight cannot be read: \(error)"
        }
        guard let problem else { return }
        close()
        throw RunnerError(description: "Preflight: \(problem)")
    }

    func close() {
        subject.close()
        server.stop()
    }

    /// The maximum number of runs of a scenario whose result a busy machine may explain.
    private static let attempts = 3

    /// Runs one scenario, and repeats the whole run if it failed and its steps were so late that time alone may be why.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let begin = clock.elapsed
        var outcome = perform(item.scenario)
        var lateRuns: [Double] = []
        while let lateness = outcome.lateness {
            lateRuns.append(lateness)
            guard lateRuns.count < Self.attempts else { break }
            outcome = perform(item.scenario)
        }
        if outcome.lateness != nil { outcome.verdict = .inconclusive(lateRuns, outcome.verdict.reason) }
        // No rule covers a step that only prepares others, so nothing was judged; but a missing response is a failure.
        if case .setupFailed(let text) = outcome.verdict, !outcome.isUnanswered {
            outcome.verdict = .skipped(reason: "a preparatory step failed: \(text)")
        }
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
        result.lateRuns = lateRuns
        return result
    }

    private struct Outcome {
        var verdict: Verdict
        var steps: [StepRecord] = []
        var isSubjectLost = false
        var wire = ""
        /// The delay of its steps in seconds if that may be why it failed; else `nil`.
        var lateness: Double?

        /// Whether its last step got no response in time.
        var isUnanswered: Bool {
            steps.last?.exchanges.contains { $0.seen.error?.code == ErrorCode.code(named: "timed-out") }
                == true
        }

        init(verdict: Verdict, steps: [StepRecord] = []) {
            self.verdict = verdict
            self.steps = steps
        }

        /// Creates the outcome of a scenario whose subject or origin is gone, so that no observation is a verdict on
        /// the rules.
        init(lostBy reason: String, steps: [StepRecord] = []) {
            self.init(verdict: .harnessError(reason), steps: steps)
            isSubjectLost = true
        }
    }

    private func perform(_ scenario: Scenario) -> Outcome {
        if let obstacle = scenario.obstacle(for: subject.abilities) {
            return Outcome(verdict: .skipped(reason: obstacle))
        }
        if let reason = server.breakdown { return Outcome(lostBy: reason) }
        do throws(SubjectError) {
            return perform(scenario, on: try subject.prepare(scenario))
        } catch {
            return Outcome(lostBy: "the subject cannot be used: \(error)")
        }
    }

    private func perform(_ scenario: Scenario, on prepared: PreparedSubject) -> Outcome {
        let permits = ScenarioPermits()
        defer { permits.endAll() }
        admit(scenario, prepared, permits)
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
        let open = prepared.open(origin, permits)
        defer { open.subject.close() }
        let begin = prepared.clock.elapsed
        let steps = StepRunner(
            environment: environment(prepared, open, startedAt: startedAt, namespace, permits)
        )
        let ended = steps.run(scenario.steps)
        let end = (prepared.clock.elapsed - begin).seconds
        if ended != .passed, let reason = server.breakdown {
            return Outcome(lostBy: reason, steps: steps.records)
        }
        let verdict = ended.judged(of: scenario, steps.records, subject.abilities)
        var outcome = Outcome(verdict: verdict, steps: steps.records)
        outcome.isSubjectLost = open.subject.breakdown != nil
        let lateness = scenario.lateness(of: steps.records, until: end)
        if verdict.speaksAgainstTheSubject, lateness > scenario.slack { outcome.lateness = lateness }
        outcome.wire = namespace.wireLog.replacing(origin.portText, with: ":PORT")
        return outcome
    }

    /// Waits until a scenario may start.
    private func admit(_ scenario: Scenario, _ prepared: PreparedSubject, _ permits: ScenarioPermits) {
        if prepared.leap != nil { return }
        guard scenario.advancedTime == .zero else { return admission.admitWaiting() }
        permits.add(admission.admit())
    }

    private func environment(
        _ prepared: PreparedSubject,
        _ open: OpenSubject,
        startedAt: Double,
        _ namespace: OriginNamespace,
        _ permits: ScenarioPermits
    ) -> ScenarioEnvironment {
        let signal = Signal()
        namespace.onActivity { [weak namespace] in
            if namespace?.parked.isEmpty == false { permits.endAll() }
            signal.raise()
        }
        let driver = RealTimeDriver(
            clock: clock,
            signal: signal,
            patience: max(options.patience, subject.patience),
            leap: prepared.leap
        ) { namespace.isAnswering }
        return ScenarioEnvironment(
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
