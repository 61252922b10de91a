import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Network profiles, measured through the proxy", .timeLimit(.minutes(20)), .blocking)
struct NetworkCheckTests {
    /// Times that no busy machine takes by chance.
    private var slow: NetworkProfile {
        var profile = NetworkProfile(name: "slow")
        (profile.delayDown, profile.delayUp) = (.seconds(60), .seconds(60))
        (profile.down, profile.up) = (1000, 1000)
        return profile
    }

    @Test("A proxy that emulates nothing is noticed in each delay and each rate")
    func nothing() throws {
        let check = try NetworkCheck(slow) { server, _ in
            let proxy = FaultProxy(FaultProxy.Configuration(upstream: Upstream(loopback: server)))
            try proxy.start()
            return NetworkCheck.Proxy(port: proxy.port ?? 0) { proxy.stop() }
        }
        let names = check.figures.map { $0.name.prefix { $0 != " " } }
        #expect(names == ["first", "answer", "download", "upload"])
        for figure in check.figures { #expect(!figure.isWithinTolerance, "\(figure)") }
    }
}
