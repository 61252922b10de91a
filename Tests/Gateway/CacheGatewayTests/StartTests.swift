import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite("The start of a gateway", .timeLimit(.minutes(20)), .blocking)
struct StartTests {
    private static let routes: [Route] = [.get("/a", .plainText("one").maxAge(.seconds(60)))]

    private static func gateway(_ mode: ProxyMode, at address: String = "127.0.0.1", port: Int? = nil) throws
        -> Gateway
    {
        let clock = SystemClock()
        var configuration = Gateway.Configuration(mode: mode)
        (configuration.server.address, configuration.server.port) = (address, port)
        return Gateway(
            configuration,
            store: try CacheStore(.init(), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
    }

    @Test(
        "A second start throws and opens no other port, and a gateway that was stopped can be started again"
    )
    func secondStart() throws {
        // At 127.0.0.1 a server of another test may get the port that is free again.
        let address = "127.0.0.21"
        let gateway = try Self.gateway(.forward, at: address)
        try gateway.start()
        let port = gateway.port
        #expect(throws: ServerError.alreadyStarted) { try gateway.start() }
        #expect(gateway.port == port)
        gateway.stop()
        #expect(throws: (any Error).self) { try RawClient(address, port: port) }
        try gateway.start()
        gateway.stop()
    }

    @Test(
        "Caches that may store what another must not use have different rules, and so cannot share a folder"
    )
    func storingRules() {
        var partitioned = CacheEngine(kind: .private)
        partitioned.partition = CredentialPartition(salt: Array("sixteen bytes ok".utf8))
        let engines = [CacheEngine(kind: .private), partitioned, CacheEngine(kind: .shared)]
        let gateways = engines.map { engine in
            var configuration = Gateway.Configuration(mode: .reverse(origin: "http://localhost"))
            configuration.engine = engine
            return configuration.storingRules
        }
        #expect(Set(engines.map(\.storingRules) + gateways).count == 6)
        // A shared cache ignores a partition: RFC 9111 §3.5 decides what all users share.
        var shared = CacheEngine(kind: .shared)
        shared.partition = partitioned.partition
        #expect(shared.storingRules == CacheEngine(kind: .shared).storingRules)
    }

    @Test("A gateway with a cache of its own is started by one call, and has the URL of each path")
    func oneCall() async throws {
        let origin = try MockServer.started(routes: Self.routes)
        defer { origin.stop() }
        let gateway = try Gateway.started(.init(mode: .reverse(origin: origin.url)))
        defer { gateway.stop() }
        #expect(gateway.url("/a?b") == gateway.url + "/a?b")
        #expect(gateway.url("a?b") == gateway.url + "/a?b")
        let client = CachingClient(store: nil, transport: try CurlTransport(), clock: SystemClock())
        for _ in 1...2 { #expect(try await client.get(gateway.url("/a")).text == "one") }
        await gateway.shutDown()
        #expect(gateway.metrics.snapshot.hits == 1)
        #expect(gateway.metrics.snapshot.contentSize == .bytes(6))
    }

    @Test("What a gateway has stored is in its folder once it is stopped")
    func written() async throws {
        let origin = try MockServer.started(routes: Self.routes)
        defer { origin.stop() }
        let folder = try TestFolder()
        let configuration = Gateway.Configuration(mode: .reverse(origin: origin.url))
        let cache = CachingClient.Cache.disk(at: folder.path)
        let gateways = [
            try Gateway.started(configuration, cache: cache), try Gateway(configuration, cache: cache),
        ]
        let client = CachingClient(store: nil, transport: try CurlTransport(), clock: SystemClock())
        _ = try await client.get(gateways[0].url("/a"))
        await gateways[0].shutDown()
        try gateways[1].start()
        defer { gateways[1].stop() }
        _ = try await client.get(gateways[1].url("/a"))
        #expect(gateways[1].metrics.snapshot.hits == 1)
    }

    @Test("A shared cache of a gateway refuses the folder of a private one")
    func otherRules() async throws {
        let folder = try TestFolder()
        let cache = CachingClient.Cache.disk(at: folder.path)
        await (try CachingClient(cache: cache)).shutDown()
        let configuration = Gateway.Configuration(mode: .forward)
        #expect(throws: StorageError.self) { try Gateway(configuration, cache: cache) }
    }

    @Test("A gateway whose port is in use can be started when that is free")
    func startAgain() throws {
        let port = try OwnPort.next()
        let (other, gateway) = (
            try Self.gateway(.forward, port: port), try Self.gateway(.forward, port: port)
        )
        try other.start()
        #expect(throws: ServerError.self) { try gateway.start() }
        other.stop()
        try gateway.start()
        defer { gateway.stop() }
        #expect(gateway.port == port)
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
