// fixtures/README.md shows these tests; they are compiled and run with all others.

import CacheClient
import MockOriginTesting
import Testing

@Suite("Example: a mock server in your tests", .timeLimit(.minutes(5)))
struct MockServerExampleTests {
    @Test(
        "A stale response is revalidated",
        .mockServer(.get("/users", .json("[]").eTag("v1").maxAge(.seconds(60))))
    )
    func revalidates() async throws {
        let server = try MockServer.current
        let client = try CachingClient(cache: .memory(), clock: server.clock)

        _ = try await client.get(server.url("/users"))
        try server.advance(by: .seconds(61))
        let response = try await client.get(server.url("/users"))

        #expect(response.status == 200)
        #expect(response.source == .validated)
        let seen = try await server.requireRequests(2, to: "/users")
        #expect(seen[1].headerFields[.ifNoneMatch] == "\"v1\"")
        #expect(seen[1].status == 304)
    }

    @Test(
        "A request to a busy origin is sent again",
        .mockServer(.get("/list", .status(503), .json("[]")))
    )
    func busy() async throws {
        let server = try MockServer.current
        let client = try CachingClient(cache: .memory(), clock: server.clock)
        #expect(try await client.get(server.url("/list")).status == 503)
        #expect(try await client.get(server.url("/list")).text == "[]")
    }

    @Test(
        "A body that breaks off is an error, never a short body",
        .mockServer(.get("/list", .json("[1,2]")))
    )
    func broken() async throws {
        let server = try MockServer.current
        server.use(faults: FaultPlan(faults: [Fault(.close, at: .body, byte: 3)]))
        let client = try CachingClient(cache: .memory(), clock: server.clock)
        await #expect(throws: ClientError.self) { try await client.get(server.url("/list")) }
    }
}
