import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// Where scenarios are run against a proxy, in real time.
final class ProxyWorkshop: Sendable {
    private let options: RunOptions
    private let proxy: String
    private let clock = SystemClock()
    private let caller: WireCaller
    private let server: MockServer
    private let prefix: String
    private let nextToken = Lock(1)

    init(_ options: RunOptions, proxy: String) throws(RunnerError) {
        self.options = options
        self.proxy = proxy
        do throws(TransportError) {
            caller = try WireCaller(limit: options.jobs, clock: clock)
        } catch {
            throw RunnerError(description: "The caller cannot be started: \(error)")
        }
        var configuration = MockServer.Configuration()
        configuration.server = options.originServer
        configuration.fixtureFolder = options.fixtureFolder
        server = MockServer(configuration, clock: clock)
        do throws(ServerError) {
            try server.start()
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
        // A proxy may still hold what an earlier run has left under its tokens.
        var generator = SystemRandomNumberGenerator()
        prefix = String(generator.next(), radix: 36)
    }

    func close() { server.stop() }

    /// Runs one scenario.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let begin = clock.elapsed
        let (verdict, steps) = perform(item.scenario)
        return ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: item.cacheKind,
            verdict: verdict,
            steps: steps,
            seconds: (clock.elapsed - begin).seconds
        )
    }

    private func perform(_ scenario: Scenario) -> (Verdict, [StepRecord]) {
        if let obstacle = scenario.proxyObstacle { return (.skipped(reason: obstacle), []) }
        let startedAt = clock.wallSeconds
        let namespace = server.open(
            token: token(),
            routes: scenario.routes,
            clock: clock,
            startedAt: startedAt,
            faults: FaultPlan(faults: scenario.faults, seed: options.seed, scope: scenario.id)
        )
        let origin = ProxiedOrigin(NamespaceOrigin(namespace, port: server.port), proxy: proxy)
        defer { origin.close() }
        let signal = Signal()
        namespace.onActivity { signal.raise() }
        let driver = RealTimeDriver(clock: clock, signal: signal, patience: options.patience) {
            namespace.isAnswering
        }
        let subject = ProxySubject(
            caller: caller,
            clock: clock,
            origin: origin,
            followsRedirects: scenario.client.followsRedirects
        ) { namespace.record().contains { !$0.isEnded } }
        let stage = Stage(
            origin: origin,
            subject: subject,
            clock: clock,
            driver: driver,
            startedAt: startedAt,
            unjudged: ["chunks", "events", "finding", "stale", "user-saw-redirects"],
            tolerance: 2
        )
        let steps = StepRunner(stage: stage)
        return (steps.run(scenario.steps), steps.records)
    }

    private func token() -> String {
        nextToken.withLock { number in
            defer { number += 1 }
            return "\(prefix)-\(number)"
        }
    }
}
