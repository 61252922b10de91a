import CacheClient
import CacheStorage
import Clocks
import HTTPServing
import MockOrigin
import MockOriginTesting
import OriginScript
import Testing

// fixtures/README.md shows these tests; they are compiled and run with all others.

@Suite("Example: a mock server in your tests", .timeLimit(.minutes(5)))
struct MockServerExampleTests {
    static let user = Answer(fields: ["Cache-Control": "max-age=3600"], body: #"{"id": 7}"#) {
        $0.entityTag = .md5
    }

    @Test("A fresh response is not asked for again", .mockServer(Route("/users/{id}", label: "users", user)))
    func fresh() async throws {
        let server = try MockServer.current
        let client = try client(server.clock)

        _ = try await client.fetch(ClientRequest(url: server.url + "/users/7"))
        _ = try await client.fetch(ClientRequest(url: server.url + "/users/7"))
        await server.expectRequests(1, to: "users")

        server.advance(by: .seconds(3601))
        _ = try await client.fetch(ClientRequest(url: server.url + "/users/7"))
        let seen = await server.expectRequests(2, to: "users")
        #expect(seen[1].request.fields.combined("If-None-Match") != nil)
        #expect(seen[1].status == 304)
    }

    @Test(
        "A request to a busy origin is sent again",
        .mockServer(Route("/list", Answer(status: 503), Answer(body: "[]")))
    )
    func busy() async throws {
        let server = try MockServer.current
        let client = try client(server.clock)
        #expect(try await client.fetch(ClientRequest(url: server.url + "/list")).body == [])
        #expect(try await client.fetch(ClientRequest(url: server.url + "/list")).body == Array("[]".utf8))
    }

    @Test(
        "A body that breaks off is an error, never a short body",
        .mockServer(Route("/list", Answer(body: "[1,2]")))
    )
    func broken() async throws {
        let server = try MockServer.current
        server.use(faults: FaultPlan(faults: [Fault(.close, at: .body, byte: 3)]))
        let client = try client(server.clock)
        await #expect(throws: (any Error).self) {
            try await client.fetch(ClientRequest(url: server.url + "/list"))
        }
    }

    /// The client under test; yours stands here.
    private func client(_ clock: any TimeSource) throws -> CachingClient {
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        return CachingClient(store: store, transport: try CurlTransport(), clock: clock)
    }
}

@Suite("Example: a mock server without the trait")
struct PlainServerExampleTests {
    @Test("A server is started in one line")
    func plain() async throws {
        let server = try MockServer.started(routes: [Route("/users", Answer(body: "[]"))])
        defer { server.stop() }
        async let seen = server.exchanges(1) { $0.route == "/users" }
        let store = try CacheStore(CacheStore.Configuration(), clock: server.clock)
        let client = CachingClient(store: store, transport: try CurlTransport(), clock: server.clock)
        _ = try await client.fetch(ClientRequest(url: server.url + "/users"))
        #expect(await seen.count == 1)
    }
}
