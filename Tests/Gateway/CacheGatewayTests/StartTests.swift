import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import HTTPServing
import TestSupport
import Testing

@Suite("The start of a gateway", .timeLimit(.minutes(5)), .blocking)
struct StartTests {
    private static func gateway(_ mode: ProxyMode) throws -> Gateway {
        let clock = SystemClock()
        return Gateway(
            .init(mode: mode),
            store: try CacheStore(.init(), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
    }

    @Test(
        "A second start throws and opens no other port, and a gateway that was stopped can be started again"
    )
    func secondStart() throws {
        let gateway = try Self.gateway(.forward)
        try gateway.start()
        let port = gateway.port
        #expect(throws: ServerError.alreadyStarted) { try gateway.start() }
        #expect(gateway.port == port)
        gateway.stop()
        #expect(throws: (any Error).self) { try RawClient(port: port) }
        try gateway.start()
        gateway.stop()
    }

    @Test("A gateway whose port is in use can be started when that is free")
    func startAgain() throws {
        let other = try Self.gateway(.forward)
        try other.start()
        var configuration = Gateway.Configuration(mode: .forward)
        configuration.server.port = other.port
        let clock = SystemClock()
        let gateway = Gateway(
            configuration,
            store: try CacheStore(.init(), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        #expect(throws: ServerError.self) { try gateway.start() }
        other.stop()
        try gateway.start()
        defer { gateway.stop() }
        #expect(gateway.port == configuration.server.port)
    }

    @Test(
        "An origin that is not the scheme and authority of an http or https URL is an error of the start",
        arguments: [
            "", "nonsense", "ftp://x", "http://", "http://a/", "http://a/b", "http://a?b", "http://a#b",
        ]
    )
    func badOrigin(origin: String) throws {
        for mode in [ProxyMode.reverse(origin: origin), .reverseAndForward(origin: origin)] {
            let gateway = try Self.gateway(mode)
            #expect(throws: ServerError.badOrigin(origin)) { try gateway.start() }
            #expect(gateway.port == nil)
        }
    }

    @Test(
        "An http or https URL without a path is an origin",
        arguments: ["http://a", "HTTPS://A.example:8443", "http://[::1]:1"]
    )
    func goodOrigin(origin: String) throws {
        let gateway = try Self.gateway(.reverse(origin: origin))
        try gateway.start()
        gateway.stop()
    }
}
