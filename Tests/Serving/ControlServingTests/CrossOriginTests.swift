import ControlServing
import Testing
import TestSupport

@Suite("Control API called by pages of other origins", .timeLimit(.minutes(20)), .blocking)
struct CrossOriginTests {
    private static let page = "Origin: http://localhost:3000"

    private func server(_ allowed: String?) throws -> ControlServer {
        var configuration = ControlServer.Configuration()
        configuration.allowedOrigin = allowed
        let server = ControlServer(
            configuration,
            ControlServer.Description(title: "t", summary: "s"),
            operations: [ControlOperation(.get("/a"), name: "a", "Returns nothing.") { _ in .done }]
        )
        try server.start()
        return server
    }

    private func answer(_ server: ControlServer, _ method: String, _ lines: [String]) throws -> RawResponse {
        let client = try RawClient(port: server.port)
        try client.request(method, "/a", lines)
        return try client.response()
    }

    @Test(
        "Only pages of the allowed origin may read responses",
        arguments: [
            ("http://localhost:3000", "http://localhost:3000"), ("*", "*"), ("http://localhost:3001", nil),
            (nil, nil),
        ] as [(String?, String?)]
    )
    func reading(allowed: String?, expected: String?) throws {
        let server = try server(allowed)
        defer { server.stop() }
        let answer = try answer(server, "GET", [Self.page, "Authorization: Bearer \(server.token.text)"])
        #expect(answer.status == 204)
        #expect(answer["Access-Control-Allow-Origin"] == expected)
        #expect(answer["Vary"] == (expected == nil || expected == "*" ? nil : "Origin"))
    }

    @Test("A preflight needs no token, a request does")
    func preflight() throws {
        let server = try server("http://localhost:3000")
        defer { server.stop() }
        let preflight = try answer(server, "OPTIONS", [Self.page, "Access-Control-Request-Method: PUT"])
        #expect(preflight.status == 204)
        #expect(preflight["Access-Control-Allow-Methods"]?.contains("PUT") == true)
        #expect(preflight["Access-Control-Allow-Headers"] == "Authorization, Content-Type")
        let refused = try answer(server, "GET", [Self.page])
        #expect(refused.status == 401)
        // So that the page can read why.
        #expect(refused["Access-Control-Allow-Origin"] == "http://localhost:3000")
    }

    @Test(
        "OPTIONS that is no preflight of the allowed origin is answered like any other",
        arguments: [[page], ["Origin: http://evil", "Access-Control-Request-Method: PUT"], []]
    )
    func options(lines: [String]) throws {
        let server = try server("http://localhost:3000")
        defer { server.stop() }
        #expect(try answer(server, "OPTIONS", lines).status == 401)
    }
}
