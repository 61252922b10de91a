import Clocks
import Fetching
import JSON
import Testing
import TestSupport

@Suite("Reachability by what the kernel says of links and routes", .timeLimit(.minutes(5)))
struct NetlinkTests {
    /// A network in which nothing is up; where there cannot be one the test is skipped, with the reason.
    private func network() async throws -> NetworkNamespace {
        let network = NetworkNamespace()
        do {
            try await network.enter()
        } catch let refusal as NetworkNamespace.Refusal {
            try Test.cancel(Comment(rawValue: refusal.description))
        }
        return network
    }

    /// What a provider has told so far, and the next it tells.
    private struct Ear {
        let told = Collector<NetworkStatus>()
        let reachability = NetlinkReachability()
        let observation: ReachabilityObservation

        init() { observation = reachability.observe { [told] in told.add($0) } }
    }

    @Test("A link that comes up is no network before there is a default route over it, nor is the loopback")
    func comesUp() async throws {
        let network = try await network()
        let ear = Ear()
        try await network.start(ear.reachability)
        #expect(await ear.told.first(1) == [.unreachable])
        try await network.ip("link set lo up")
        for end in ["wire0", "wire1"] { try await network.ip("link set \(end) up") }
        try await network.ip("route add default via 192.0.2.2")
        // One change: nothing of what came before the route was told.
        #expect(await ear.told.first(2) == [.unreachable, .reachable])
        #expect(ear.reachability.status == .reachable)
    }

    @Test(
        "A route that goes, a link that goes down and a wire that is pulled out each end the network, and it comes back",
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
        let ear = Ear()
        try await network.start(ear.reachability)
        #expect(await ear.told.first(1) == [.reachable])
        try await network.ip(away)
        #expect(await ear.told.first(2) == [.reachable, .unreachable])
        try await network.ip(back)
        // The kernel forgets the routes over a link that was taken down.
        if away == "link set wire0 down" { try await network.ip("route add default via 192.0.2.2") }
        #expect(await ear.told.first(3) == [.reachable, .unreachable, .reachable])
    }

    @Test("A session sends nothing while the kernel has no network, and sends again when it has one")
    func session() async throws {
        let network = try await network()
        let ear = Ear()
        try await network.start(ear.reachability)
        _ = await ear.told.first(1)
        let stage = try FetchStage(json("1"))
        let session = stage.session(reachability: ear.reachability)
        #expect(await session.failure(.get("a"))?.code == -1009)
        for end in ["wire0", "wire1"] { try await network.ip("link set \(end) up") }
        try await network.ip("route add default via 192.0.2.2")
        _ = await ear.told.first(2)
        #expect(try await session.get("a").json == 1)
        try await network.ip("link del wire0")
        _ = await ear.told.first(3)
        #expect(await session.failure(.get("a"))?.code == -1009)
        #expect(stage.hits == 1)
    }
}
