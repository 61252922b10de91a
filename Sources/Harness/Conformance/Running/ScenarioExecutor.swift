import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// Runs scenarios: creates an environment for each, runs its steps and cleans up.
final class ScenarioExecutor: Sendable {
    /// 2026-01-01T00:00:00Z.
    static let startWallSeconds = 1_767_225_600.0
    private let options: RunOptions
    private let servers: OriginServers
    private let stores: StorePool
    private let loops: LoopPool
    private let certificates = OriginCertificates()

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        do throws(ServerError) {
            servers = try OriginServers(options, certificates)
        } catch {
            throw RunnerError(description: "The mock server cannot be started: \(error)")
        }
        do throws(SubjectError) {
            stores = try StorePool(wallSeconds: Self.startWallSeconds)
        } catch {
            servers.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
        loops = LoopPool()
    }

    /// Runs one scenario with one kind of cache.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let realTime = SystemClock()
        let begin = realTime.elapsed
        let outcome = perform(item)
        var result = ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: item.cacheKind,
            verdict: outcome.verdict,
            steps: outcome.steps,
            seconds: (realTime.elapsed - begin).seconds
        )
        result.isSubjectLost = outcome.isOriginLost
        result.decisions = outcome.decisions.sorted { $0.description < $1.description }
        result.wire = outcome.wire
        result.clockMoves = outcome.clockMoves
        return result
    }

    func close() {
        loops.stop()
        stores.stop()
        servers.stop()
    }

    private struct Outcome {
        var verdict: Verdict
        var steps: [StepRecord] = []
        var decisions: [FaultDecision] = []
        var wire = ""
        var clockMoves: [ClockMove] = []
        var isOriginLost = false

        /// Withdraws a verdict on observations behind an origin that is gone.
        mutating func lose(_ origin: any MonitoredOrigin) {
            guard verdict != .passed, let reason = origin.breakdown else { return }
            verdict = .harnessError(reason)
            isOriginLost = true
        }
    }

    private func perform(_ item: RunPlan.Item) -> Outcome {
        if options.transport == .direct, item.scenario.needsSockets {
            let reason = "The scenario checks connections or bytes, which do not exist without sockets."
            return Outcome(verdict: .skipped(reason: reason))
        }
        do throws(SubjectError) {
            let opened = try stores.open(item.scenario.client, asksAboutDisk: item.scenario.asksAboutDisk)
            let place = try servers.place(for: item.scenario)
            let origin = openOrigin(for: item, at: place, opened.clock.current)
            defer { origin.close() }
            if options.keepsWire { origin.namespace.keepWire() }
            var outcome = try perform(item, at: origin, opened)
            outcome.lose(place.server)
            outcome.decisions = origin.namespace.decisions
            // The port differs in every run.
            if options.keepsWire {
                outcome.wire = origin.namespace.wireLog.replacing(origin.portText, with: ":PORT")
            }
            return outcome
        } catch {
            return Outcome(verdict: .harnessError("the scenario cannot be set up: \(error)"))
        }
    }

    private func perform(
        _ item: RunPlan.Item,
        at origin: NamespaceOrigin,
        _ opened: OpenStore
    ) throws(SubjectError) -> Outcome {
        var settings = item.scenario.client
        settings.deviations.formUnion(options.deviations)
        if options.normalizesPercentEncoding { settings.normalizesPercentEncoding = true }
        let clock = opened.clock.current
        let subject = try BuiltinSubject(
            kind: item.cacheKind,
            settings: settings,
            opened: opened,
            stores: stores,
            loops: loops,
            decoration: item.decoration,
            isObserved: options.isObserved,
            connect: connector(to: origin, item.scenario.client, trust(of: item.scenario, at: origin))
        )
        defer { subject.close() }
        let driver = ClockDriver(
            of: subject,
            at: origin.namespace,
            clock: clock,
            patience: options.patience
        )
        var environment = ScenarioEnvironment(
            origin: origin,
            subject: subject,
            clock: clock,
            driver: driver,
            startedAt: Self.startWallSeconds,
            unjudged: options.unjudged
        )
        environment.cacheKind = item.cacheKind
        environment.client = settings
        environment.extensionSettings = item.scenario.extensionSettings
        environment.clientParts = { subject.clientParts }
        let steps = StepRunner(environment: environment)
        let verdict = steps.run(item.scenario.steps)
        if options.keepsWire { awaitRest(of: origin, driver) }
        return Outcome(
            verdict: verdict,
            steps: steps.records,
            clockMoves: driver.moves.withLock { $0 }
        )
    }

    /// Waits until the origin has recorded the end of every exchange that the client has seen end.
    private func awaitRest(of origin: NamespaceOrigin, _ driver: ClockDriver) {
        let signal = driver.signal
        origin.namespace.onActivity { signal.raise() }
        do throws(HarnessProblem) {
            try driver.rest(for: "the end of every exchange") { origin.namespace.isAtRest }
        } catch {
            // The log shows the progress of each exchange.
        }
    }

    private func connector(
        to origin: NamespaceOrigin,
        _ settings: ClientSettings,
        _ trust: TrustPolicy
    ) -> @Sendable () throws(SubjectError) -> any SubjectLink {
        switch options.transport {
        case .direct: { [loops] () throws(SubjectError) in DirectLink(to: origin, over: try loops.take()) }
        case .loopback:
            { [loops] () throws(SubjectError) in
                LoopbackLink(over: try loops.take(settings.connectionsPerHost), trust: trust)
            }
        }
    }

    // MARK: Origins

    private func openOrigin(
        for item: RunPlan.Item,
        at place: OriginServers.Place,
        _ clock: VirtualClock
    ) -> NamespaceOrigin {
        let name = "\(item.scenario.id) [\(item.cacheKind.rawValue)]"
        let namespace = place.server.open(
            token: Self.token(name + item.label),
            routes: item.scenario.routes,
            clock: clock,
            startedAt: Self.startWallSeconds,
            faults: FaultPlan(faults: item.scenario.faults, seed: options.seed, scope: name),
            network: item.scenario.emulatedNetwork
        )
        return NamespaceOrigin(
            namespace,
            port: place.port,
            identity: place.identity,
            ownServer: place.isOwn ? place.server : nil
        )
    }

    /// Returns the trust policy of a scenario's client for its origin.
    private func trust(
        of scenario: Scenario,
        at origin: NamespaceOrigin
    ) throws(SubjectError) -> TrustPolicy {
        guard let identity = origin.identity else { return TrustPolicy() }
        return try certificates.policy(scenario.client.trust ?? TrustSettings(), at: identity)
    }

    /// Returns a name below which the scenario's script answers, the same in every run whatever else runs.
    private static func token(_ name: String) -> String {
        "s" + String(FaultDraw(seed: 0, scope: name, request: "").bits(.accept, "token"), radix: 36)
    }
}
