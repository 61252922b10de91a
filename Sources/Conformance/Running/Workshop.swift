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
    private let nextToken = Lock(1)

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
    }

    /// Runs one scenario with one kind of cache.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let realTime = SystemClock()
        let begin = realTime.elapsed
        let (verdict, steps) = perform(item)
        return ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: item.cacheKind,
            verdict: verdict,
            steps: steps,
            seconds: (realTime.elapsed - begin).seconds
        )
    }

    func close() {
        keeper.stop()
        server.stop()
    }

    private func perform(_ item: RunPlan.Item) -> (Verdict, [StepRecord]) {
        if options.transport == .direct, item.scenario.needsSockets {
            let reason = "it is about connections or bytes, and there are none without sockets"
            return (.skipped(reason: reason), [])
        }
        do throws(SubjectError) {
            let opened = try keeper.open(item.scenario.client)
            let origin = try openOrigin(for: item.scenario, opened.clock.current)
            defer { origin.close() }
            return try perform(item, at: origin, opened)
        } catch {
            return (.harnessError("the scenario cannot be set up: \(error)"), [])
        }
    }

    private func perform(
        _ item: RunPlan.Item,
        at origin: NamespaceOrigin,
        _ opened: OpenStore
    ) throws(SubjectError) -> (Verdict, [StepRecord]) {
        let signal = Signal()
        var settings = item.scenario.client
        settings.deviations.formUnion(options.deviations)
        let clock = opened.clock.current
        let subject = try BuiltinSubject(
            kind: item.cacheKind,
            settings: settings,
            opened: opened,
            keeper: keeper,
            connect: connector(to: origin, item.scenario.client, signal)
        )
        defer { subject.close() }
        // Whoever makes the last thing quiet sees that all is; before that there is nothing to wake up for.
        origin.namespace.onActivity { [weak subject, weak namespace = origin.namespace] in
            guard let subject, let namespace else { return }
            if subject.activity(parked: namespace.parked).isQuiet { signal.raise() }
        }
        var driver = ClockDriver(clock: clock, signal: signal) {
            // The origin first: what it has written before an exchange was parked is then seen as unread at the client.
            let parked = origin.namespace.parked
            return subject.activity(parked: parked)
        }
        driver.patience = options.patience
        let stage = Stage(
            origin: origin,
            subject: subject,
            clock: clock,
            driver: driver,
            startedAt: Self.startWallSeconds,
            // Pieces that nothing keeps apart on their way arrive as one.
            unjudged: options.transport == .direct ? ["chunks"] : []
        )
        let steps = StepRunner(stage: stage)
        return (steps.run(item.scenario.steps), steps.records)
    }

    private func connector(
        to origin: NamespaceOrigin,
        _ settings: ClientSettings,
        _ signal: Signal
    ) -> @Sendable () throws(SubjectError) -> any SubjectLink {
        switch options.transport {
        case .direct: { () throws(SubjectError) in try DirectLink(to: origin, signal: signal) }
        case .loopback:
            { () throws(SubjectError) in
                try LoopbackLink(to: origin, connectionsPerHost: settings.connectionsPerHost, signal: signal)
            }
        }
    }

    // MARK: Origins

    /// Opens a namespace; a scenario in which the origin refuses connections has the whole server to itself.
    private func openOrigin(
        for scenario: Scenario,
        _ clock: VirtualClock
    ) throws(SubjectError) -> NamespaceOrigin {
        let own: MockServer?
        do throws(ServerError) {
            own =
                options.transport == .loopback && scenario.needsOwnServer
                ? try Self.startServer(options) : nil
        } catch {
            throw SubjectError("the origin cannot be started: \(error)")
        }
        let server = own ?? server
        let namespace = server.open(
            token: token(),
            routes: scenario.routes,
            clock: clock,
            startedAt: Self.startWallSeconds,
            faults: FaultPlan(faults: scenario.faults, seed: options.seed, scope: scenario.id)
        )
        return NamespaceOrigin(namespace, port: server.port, ownServer: own)
    }

    private func token() -> String {
        nextToken.withLock { number in
            defer { number += 1 }
            return "s\(number)"
        }
    }

    private static func startServer(_ options: RunOptions) throws(ServerError) -> MockServer {
        var configuration = MockServer.Configuration(port: 0)
        configuration.fixtureFolder = options.fixtureFolder
        let server = MockServer(configuration, clock: SystemClock())
        if options.transport == .loopback { try server.start() }
        return server
    }
}
