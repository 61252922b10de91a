import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// Where scenarios are run: builds each its stage, takes its steps and clears up.
final class Workshop: Sendable {
    /// 2026-01-01T00:00:00Z.
    static let startWallSeconds = 1_767_225_600.0
    private let options: RunOptions
    private let server: MockServer
    private let keeper: StoreKeeper
    private let loops: LoopKeeper
    private let certificates = OriginCertificates()

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        do throws(ServerError) {
            server = try Self.startServer(options)
        } catch {
            throw RunnerError(description: "The mock server cannot be started: \(error)")
        }
        do throws(SubjectError) {
            keeper = try StoreKeeper(wallSeconds: Self.startWallSeconds)
        } catch {
            server.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
        loops = LoopKeeper()
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
        result.decisions = outcome.decisions.sorted { $0.description < $1.description }
        result.wire = outcome.wire
        result.clockMoves = outcome.clockMoves
        return result
    }

    func close() {
        loops.stop()
        keeper.stop()
        server.stop()
    }

    private struct Outcome {
        var verdict: Verdict
        var steps: [StepRecord] = []
        var decisions: [FaultDecision] = []
        var wire = ""
        var clockMoves: [String] = []
    }

    private func perform(_ item: RunPlan.Item) -> Outcome {
        if options.transport == .direct, item.scenario.needsSockets {
            let reason = "it is about connections or bytes, and there are none without sockets"
            return Outcome(verdict: .skipped(reason: reason))
        }
        do throws(SubjectError) {
            let opened = try keeper.open(item.scenario.client, asksAboutDisk: item.scenario.asksAboutDisk)
            let origin = try openOrigin(for: item, opened.clock.current)
            defer { origin.close() }
            if options.keepsWire { origin.namespace.keepWire() }
            var outcome = try perform(item, at: origin, opened)
            outcome.decisions = origin.namespace.decisions
            // The port is another in every run.
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
        let signal = Signal()
        var settings = item.scenario.client
        settings.deviations.formUnion(options.deviations)
        let clock = opened.clock.current
        let subject = try BuiltinSubject(
            kind: item.cacheKind,
            settings: settings,
            opened: opened,
            keeper: keeper,
            loops: loops,
            decoration: item.decoration,
            connect: connector(to: origin, item.scenario.client, trust(of: item.scenario, at: origin))
        )
        defer { subject.close() }
        // Whoever waits does it in the client's loop.
        signal.onRaise { [weak subject] in subject?.loop.wake() }
        // Whoever makes the last thing quiet sees that all is; before that there is nothing to wake up for.
        origin.namespace.onActivity { [weak subject, weak namespace = origin.namespace] in
            guard let subject, let namespace else { return }
            // The end of an answer wakes the client by its bytes, which must not find somebody looking at its sockets.
            let parked = namespace.parked
            if !parked.isEmpty, subject.activity(parked: parked).isQuiet { signal.raise() }
        }
        var driver = ClockDriver(clock: clock, signal: signal) {
            // The origin first: what it has written before an exchange was parked is then seen as unread at the client.
            let parked = origin.namespace.parked
            return subject.activity(parked: parked)
        }
        driver.patience = options.patience
        driver.loop = { subject.loop }
        var stage = Stage(
            origin: origin,
            subject: subject,
            clock: clock,
            driver: driver,
            startedAt: Self.startWallSeconds,
            // Pieces that nothing keeps apart on their way arrive as one.
            unjudged: options.transport == .direct ? ["chunks"] : []
        )
        stage.stackSettings = item.scenario.stack
        stage.stackParts = { subject.stackParts }
        let steps = StepRunner(stage: stage)
        let verdict = steps.run(item.scenario.steps)
        if options.keepsWire { awaitRest(of: origin, driver) }
        return Outcome(
            verdict: verdict,
            steps: steps.records,
            clockMoves: driver.moves.withLock { $0 }
        )
    }

    /// Waits until the origin has noted the end of everything that the client has seen the end of.
    private func awaitRest(of origin: NamespaceOrigin, _ driver: ClockDriver) {
        let signal = driver.signal
        origin.namespace.onActivity { signal.raise() }
        do throws(HarnessProblem) {
            try driver.rest(for: "the end of every exchange") { origin.namespace.isAtRest }
        } catch {
            // The log says of each exchange how far it has come.
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

    /// Opens a namespace; a scenario in which the origin refuses connections has the whole server to itself.
    private func openOrigin(
        for item: RunPlan.Item,
        _ clock: VirtualClock
    ) throws(SubjectError) -> NamespaceOrigin {
        let scenario = item.scenario
        let name = "\(scenario.id) [\(item.cacheKind.rawValue)]"
        let own: MockServer?
        var tls: TLSSettings?
        if let tlsCase = scenario.tls { tls = try certificates.settings(tlsCase) }
        do throws(ServerError) {
            own =
                options.transport == .loopback && scenario.needsOwnServer
                ? try Self.startServer(options, tls) : nil
        } catch {
            throw SubjectError("the origin cannot be started: \(error)")
        }
        let server = own ?? server
        let namespace = server.open(
            token: Self.token(name + item.label),
            routes: scenario.routes,
            clock: clock,
            startedAt: Self.startWallSeconds,
            faults: FaultPlan(faults: scenario.faults, seed: options.seed, scope: name),
            network: scenario.emulatedNetwork
        )
        guard let tls else { return NamespaceOrigin(namespace, port: server.port, ownServer: own) }
        return NamespaceOrigin(namespace, port: server.tlsPort, identity: tls.identity, ownServer: own)
    }

    /// What the client of a scenario believes of its origin.
    private func trust(
        of scenario: Scenario,
        at origin: NamespaceOrigin
    ) throws(SubjectError) -> TrustPolicy {
        guard let identity = origin.identity else { return TrustPolicy() }
        return try certificates.policy(scenario.client.trust ?? TrustSettings(), at: identity)
    }

    /// A name below which the scenario's script answers, the same in every run whatever runs beside it.
    private static func token(_ name: String) -> String {
        "s" + String(FaultDraw(seed: 0, scope: name, request: "").bits(.accept, "token"), radix: 36)
    }

    private static func startServer(
        _ options: RunOptions,
        _ tls: TLSSettings? = nil
    ) throws(ServerError) -> MockServer {
        var configuration = MockServer.Configuration(port: 0)
        configuration.tls = tls
        configuration.fixtureFolder = options.fixtureFolder
        let server = MockServer(configuration, clock: SystemClock())
        if options.transport == .loopback { try server.start() }
        return server
    }
}
