import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Reachability", .timeLimit(.minutes(20)))
struct ReachabilityTests {
    @Test(
        "Without a network nothing is sent, and the caller receives one error",
        .checks("sqfetch.reachability.gate", "sqfetch.reachability.silent")
    )
    func gate() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sqFetch, reachability: ScriptedReachability(.unreachable))
        let ends = Collector<Int>()
        let task = session.start(.get("a")) {
            if case .failure(let error) = $0 { ends.add(error.code.rawValue) }
        }
        _ = try? await task.response()
        #expect(ends.elements == [-1009])
        #expect(fixture.hits == 0)
        #expect(session.pool.count == 0)
    }

    @Test(
        "Without a network, both caches are served",
        .checks("sqfetch.reachability.before-cache")
    )
    func cachesFirst() async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/http", [json("1") { $0.fields.append(FieldLine("Cache-Control", .text("max-age=60"))) }]),
                ("/application", [json("2")]),
                ("/none", [json("3") { $0.fields.append(FieldLine("Cache-Control", .text("no-store"))) }])
            )
        )
        let network = ScriptedReachability(.wifi)
        let session = fixture.session(store: try fixture.memoryStore(), reachability: network, hasCache: true)
        let kept = FetchRequest.get("application").cached(for: .seconds(60))
        _ = try await session.get("http")
        _ = try await session.send(kept)
        _ = try await session.get("none")
        network.status = .unreachable
        #expect(try await session.get("http").json == 1)
        #expect(try await session.send(kept).json == 2)
        #expect(await session.failure(.get("none"))?.code == -1009)
        #expect(fixture.hits == 3)
        network.status = .cellular
        #expect(try await session.get("none").json == 3)
    }

    @Test(
        "Requests are sent in every state except without a network",
        .checks("sqfetch.reachability.three-states", "sqfetch.reachability.initial-state"),
        arguments: [
            (NetworkStatus.unknown, 1), (.unreachable, 0), (.wired, 1), (.wifi, 1), (.cellular, 1),
            (.reachable, 1),
        ]
    )
    func states(status: NetworkStatus, hits: Int) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(reachability: ScriptedReachability(status))
        _ = try? await session.get("a")
        #expect(fixture.hits == hits)
        #expect(status.allowsRequests == (hits == 1))
    }

    @Test(
        "Every observer is notified of every change once and in order",
        .checks("afnetworking.reachability.change-events")
    )
    func changes() async {
        let network = ScriptedReachability()
        let (first, second) = (Collector<NetworkStatus>(), Collector<NetworkStatus>())
        let observation = network.observe { first.add($0) }
        let other = network.observe { second.add($0) }
        for status in [NetworkStatus.wifi, .wifi, .unreachable] { network.status = status }
        other.cancel()
        network.status = .cellular
        observation.cancel()
        network.status = .wifi
        #expect(first.elements == [.wifi, .unreachable, .cellular])
        #expect(second.elements == [.wifi, .unreachable])
    }

    @Test("Changes can be read as a sequence")
    func sequence() async {
        let network = ScriptedReachability()
        let changes = network.changes()
        network.status = .wifi
        network.status = .unreachable
        var read: [NetworkStatus] = []
        for await status in changes {
            read.append(status)
            if read.count == 2 { break }
        }
        #expect(read == [.wifi, .unreachable])
    }

    @Test(
        "The network and a host are both monitored, and their reports combined by a rule, whatever their order",
        .checks("sqfetch.reachability.two-probes", "sqfetch.reachability.last-writer-wins"),
        arguments: [
            (CombinedReachability.Rule.networkDecides, NetworkStatus.wifi), (.bothMustAgree, .unreachable),
        ],
        [true, false]
    )
    func combined(rule: (CombinedReachability.Rule, NetworkStatus), networkFirst: Bool) {
        let (network, host) = (ScriptedReachability(), ScriptedReachability())
        let both = CombinedReachability(network: network, host: host, rule: rule.0)
        #expect(both.status == .unknown)
        if networkFirst { network.status = .wifi }
        host.status = .unreachable
        network.status = .wifi
        #expect(both.status == rule.1)
        network.status = .unreachable
        host.status = .reachable
        #expect(both.status == .unreachable)
    }

    @Test("A change of the combined status is reported once")
    func combinedChanges() {
        let (network, host) = (ScriptedReachability(), ScriptedReachability())
        let both = CombinedReachability(network: network, host: host)
        let statuses = Collector<NetworkStatus>()
        let observation = both.observe { statuses.add($0) }
        host.status = .reachable
        network.status = .wifi
        host.status = .unreachable
        network.status = .unreachable
        #expect(statuses.elements == [.reachable, .wifi, .unreachable])
        observation.cancel()
    }

    @Test(
        "A provider is one object for all who share it, and independent of other providers"
    )
    func oneObject() async throws {
        let fixture = try FetchFixture(json("{}"))
        let (shared, foreign) = (ScriptedReachability(.wifi), ScriptedReachability(.wifi))
        let sessions = [fixture.session(reachability: shared), fixture.session(reachability: shared)]
        foreign.status = .unreachable
        for session in sessions { _ = try await session.get("a") }
        #expect(shared.status == .wifi)
        shared.status = .unreachable
        for session in sessions { #expect(await session.failure(.get("a"))?.code == -1009) }
        #expect(fixture.hits == 2)
    }

    /// A provider that counts how often it is started.
    private final class CountingReachability: ReachabilityProvider {
        let starts = Collector<Int>()
        var status: NetworkStatus { .unknown }

        func startObserving() { starts.add(1) }

        func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
            ReachabilityObservation {}
        }
    }

    @Test(
        "A session starts network and host, each once, before its first request",
        .checks("sqfetch.reachability.two-probes", "sqfetch.reachability.singleton-at-load")
    )
    func startedBySession() throws {
        let fixture = try FetchFixture(json("{}"))
        let (network, host) = (CountingReachability(), CountingReachability())
        let session = fixture.session(
            .sqFetch,
            reachability: CombinedReachability(network: network, host: host)
        )
        #expect(network.starts.elements == [1])
        #expect(host.starts.elements == [1])
        #expect(fixture.hits == 0)
        _ = session
    }

    @Test("A host that listens is reachable, and one that does not is not")
    func hosts() async throws {
        let fixture = try FetchFixture(json("{}"))
        let there = HostReachability(host: "127.0.0.1", port: fixture.server.port ?? 0, clock: fixture.clock)
        #expect(there.status == .unknown)
        #expect(await there.probe() == .reachable)
        #expect(there.status == .reachable)
        let gone = HostReachability(host: "127.0.0.1", port: 1, clock: fixture.clock)
        #expect(await gone.probe() == .unreachable)
        let nowhere = HostReachability(host: "no host", clock: fixture.clock)
        #expect(await nowhere.probe() == .unreachable)
    }

    @Test(
        "Each provider is started once, and repeats its attempts at an interval",
        .checks("sqfetch.reachability.two-probes")
    )
    func interval() async {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let tries = Collector<String>()
        let host = HostReachability(host: "example.com", port: 80, every: .seconds(10), clock: clock) {
            host,
            port,
            _ in
            tries.add("\(host):\(port)")
            return tries.elements.count != 2
        }
        let changes = Collector<NetworkStatus>()
        let observation = host.observe { changes.add($0) }
        host.start()
        host.start()
        #expect(await changes.first(1) == [.reachable])
        #expect(tries.elements == ["example.com:80"])
        await clock.moved(by: .seconds(10)) { await changes.first(2) }
        #expect(changes.elements == [.reachable, .unreachable])
        await clock.moved(by: .seconds(10)) { await changes.first(3) }
        #expect(changes.elements == [.reachable, .unreachable, .reachable])
        host.stop()
        observation.cancel()
    }

    @Test("The kernel reports whether there is a network")
    func netlink() async throws {
        let network = NetlinkReachability()
        #expect(network.status == .unknown)
        let changes = Collector<NetworkStatus>()
        let observation = network.observe { changes.add($0) }
        try network.start()
        try network.start()
        let first = try #require(await changes.first(1).first)
        #expect(first != .unknown)
        #expect(network.status == first)
        observation.cancel()
    }
}

extension VirtualClock {
    /// Advances the clock once a task sleeps on it, and waits for the consequences.
    fileprivate func moved<Value>(by duration: Duration, _ wait: () async -> Value) async {
        await waitForSleeper()
        advance(by: duration)
        _ = await wait()
    }
}
