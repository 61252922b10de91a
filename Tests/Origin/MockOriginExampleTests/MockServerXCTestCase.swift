import CacheClient
import MockOriginTesting
import XCTest

/// The same with XCTest.
final class MockServerXCTestCase: XCTestCase {
    func testPostInvalidates() async throws {
        try await withMockServer(
            .get("/users", .json("[]").maxAge(.seconds(60))),
            .post("/users", .status(201))
        ) {
            server in
            let client = try CachingClient(cache: .memory(), clock: server.clock)
            _ = try await client.get(server.url("/users"))
            _ = try await client.post(server.url("/users"), body: Array("{}".utf8))
            _ = try await client.get(server.url("/users"))
            try await server.requireRequests(1, to: "POST /users")
            try await server.requireRequests(2, to: "/users")
        }
    }
}
