import CacheGateway
import CacheServices
import Logging
import MockOrigin
import ServiceLifecycle
import Testing

@Suite("Servers as services")
struct ServiceTests {
    @Test("A mock server and a gateway serve in a group, and end with it", .timeLimit(.minutes(1)))
    func group() async throws {
        let clock = SystemClock()
        let origin = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(60)))])
        defer { origin.stop() }
        let gateway = Gateway(
            .init(mode: .reverse(origin: origin.url)),
            store: try CacheStore(.init(diskCapacity: .zero), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        let server = MockServer(clock: clock)
        let group = ServiceGroup(
            services: [MockServerService(server), GatewayService(gateway)],
            logger: Logger(label: "test")
        )
        let running = Task { try await group.run() }
        while gateway.port == nil || server.port == nil { await Task.yield() }
        let client = try CachingClient(cache: .memory())
        let response = try await client.get(gateway.url + "/a")
        #expect(response.text == "one")
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(gateway.openConnections == 0)
    }
}
