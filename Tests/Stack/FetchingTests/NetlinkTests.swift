import Clocks
import Fetching
import JSON
import Testing
import TestSupport

@Suite("Reachability by kernel messages about links and routes", .timeLimit(.minutes(20)))
struct NetlinkTests {
    /// Returns a network in which every link is down; if it cannot be created, the test is skipped with the reason.
    private func network() async throws -> NetworkNamespace {
        let network = NetworkNamespace()
        do {
            try await network.enter()
        } catch let refusal as NetworkNamespace.Refusal {
            try Test.cancel(Comment(rawValue: refusal.description))
        }
        return network
    }

    /// The statuses that a provider has reported, and the next one.
    private struct StatusObserver {
        let statuses = Collector<NetworkStatus>()
        let reachability = NetlinkReachability()
        let observation: ReachabilityObservation

        init() { observation = reachability.observe { [statuses] in statuses.add($0) } }
    }

    @Test(
        "A link that comes up is not a network without a default route over it, and neither is the loopback"
    )
    func comesUp() async throws {
        let network = try await network()
        let observer = StatusObserver()
        try await network.start(observer.reachability)
        #expect(await observer.statuses.first(1) == [.unreachable])
        try await network.ip("link set lo up")
        for end in ["wire0", "wire1"] { try await network.ip("link set \(end) up") }
        try await network.ip("route add default via 192.0.2.2")
        // A single change: nothing was reported before the route existed.
        #expect(await observer.statuses.first(2) == [.unreachable, .reachable])
        #expect(observer.reachability.status == .reachable)
    }

    @Test(
        "Removing a route, setting a link down and losing the carrier each end the network, and it returns",
        arguments: [
            ("route del default", "route add default via 192.0.2.2"),
            ("link set wire0 down", "link set wire0 up"),
            ("link set wire1 down", "link set wire1 up"),
        ]
    )
    func goes(away: String, back: String) async throws {
        let network = try await network()
        for end in ["wire0", "wire1"] { try await network.ip("link set \(end) up") }
        try await network.ip("route add default via 192.0.2.2")
        let observer = StatusObserver()
        try await network.start(observer.reachability)
        #expect(await observer.statuses.first(1) == [.reachable])
        try await network.ip(away)
        #expect(await observer.statuses.first(2) == [.reachable, .unreachable])
        try await network.ip(back)
        // The kernel removes the routes of a link that was set down.
        if away == "link set wire0 down" { try await network.ip("route add default via 192.0.2.2") }
        #expect(await observer.statuses.first(3) == [.reachable, .unreachable, .reachable])
    }

    @Test("A session sends nothing while the kernel reports no network, and sends again afterwards")
    func session() async throws {
        let network = try await network()
        let observer = StatusObserver()
        try await network.start(observer.reachability)
        _ = await observer.statuses.first(1)
        let fixture = try FetchFixture(json("1"))
        let session = fixture.session(reachability: observer.reachability)
        #expect(await session.failure(.get("a"))?.code == -1009)
        for end in ["wire0", "wire1"] { try await network.ip("link set \(end) up") }
        try await network.ip("route add default via 192.0.2.2")
        _ = await observer.statuses.first(2)
        #expect(try await session.get("a").json == 1)
        try await network.ip("link del wire0")
        _ = await observer.statuses.first(3)
        #expect(await session.failure(.get("a"))?.code == -1009)
        #expect(fixture.hits == 1)
    }
}
