import MockOriginTesting
import Testing
import TestSupport

private func get(_ target: String) throws -> RawResponse {
    let client = try RawClient(port: MockServer.current.port)
    try client.request("GET", target)
    return try client.response()
}

@Suite("A test's mock server", .timeLimit(.minutes(5)), .blocking)
struct MockServerTraitTests {
    @Test("A test has a server with its routes", .mockServer(Route("/a", Answer(body: "one"))))
    func routes() throws {
        #expect(try get("/a").text == "one")
        #expect(try get("/b").status == 404)
    }

    @Test("Without the trait there is no server, which is an error")
    func missing() {
        #expect(throws: NoMockServer.self) { try MockServer.current }
    }

    @Test("Each case of a test has its own server", .mockServer(Route("/a")), arguments: 1...8)
    func isolated(count: Int) async throws {
        for _ in 0..<count { _ = try get("/a") }
        #expect(try MockServer.current.journal().count == count)
        try await MockServer.current.requireRequests(count, to: "/a")
    }

    @Test(
        "The clock stands at the test's time until the test moves it",
        .mockServer(standingAt: .seconds(1_767_225_600))
    )
    func clock() throws {
        #expect(try get("/get")["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
        try MockServer.current.advance(by: .seconds(61))
        #expect(try get("/get")["Date"] == "Thu, 01 Jan 2026 00:01:01 GMT")
    }

    @Test("A server with TLS has a port and an authority for it", .mockServer(Route("/a"), tls: .good))
    func tls() throws {
        let server = try MockServer.current
        #expect(server.tlsURL?.hasPrefix("https://127.0.0.1:") == true)
        #expect(server.authorityPEM?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
    }

    @Test("A clock that follows the machine's can also be moved", .mockServer)
    func moved() throws {
        let server = try MockServer.current
        let before = server.clock.wallSeconds
        try server.advance(by: .seconds(3600))
        #expect(server.clock.wallSeconds >= before + 3600)
    }

    @Test("Missing requests are an error, which lists the received ones", .mockServer(Route("/a")))
    func tooFew() async throws {
        _ = try get("/b")
        let server = try MockServer.current
        let error = await #expect(throws: UnexpectedRequests.self) {
            try await server.requireRequests(1, to: "/a", within: .milliseconds(1))
        }
        #expect(
            error?.description == """
                the route "/a" received 0 requests, expected 1; all requests:
                  GET /b → 404
                    near miss: /a: path is /b, expected /a
                """
        )
    }

    @Test("No request at all is an error that says so", .mockServer(Route("/a")))
    func none() async throws {
        let server = try MockServer.current
        let error = await #expect(throws: UnexpectedRequests.self) {
            try await server.requireRequests(2, to: "/a", within: .milliseconds(1))
        }
        #expect(error?.description == "the route \"/a\" received 0 requests, expected 2; no request arrived")
    }

    @Test("More requests than expected are an error", .mockServer(Route("/a")))
    func tooMany() async throws {
        for _ in 0..<3 { _ = try get("/a") }
        let server = try MockServer.current
        await #expect(throws: UnexpectedRequests.self) { try await server.requireRequests(2, to: "/a") }
    }

    @Test("A recorded request has fields by name", .mockServer(Route("/a")))
    func headerFields() async throws {
        let server = try MockServer.current
        let client = try RawClient(port: server.port)
        try client.request("GET", "/a", ["accept: text/plain"])
        _ = try client.response()
        #expect(try await server.requireRequests(to: "/a")[0].headerFields[.accept] == "text/plain")
    }

    @Test("A clock that cannot be advanced is an error")
    func fixedClock() throws {
        let server = try MockServer.started(clock: SystemClock())
        defer { server.stop() }
        #expect(throws: FixedClockError.self) { try server.advance(by: .seconds(1)) }
    }

    @Test("An unmatched request is reported with its near miss", .mockServer(Route("/users")))
    func unmatched() throws {
        _ = try get("/user")
        let server = try MockServer.current
        withKnownIssue {
            server.recordUnmatched()
        } matching: { issue in
            "\(issue)".contains(
                "No route matches GET /user. Near misses:\n  /users: path is /user, expected /users"
            )
        }
    }

    @Test(
        "Faults, the network and held responses are controlled by the test",
        .mockServer(standingAt: .seconds(1_767_225_600))
    )
    func changes() throws {
        let server = try MockServer.current
        server.use(
            faults: FaultPlan(faults: [Fault(.stall(.untilReleased), at: .body, byte: 3)], scope: "test")
        )
        let client = try RawClient(port: server.port)
        try client.request("GET", "/get")
        _ = try client.read(through: "\r\n\r\n")
        #expect(server.release() == 1)
        #expect(try client.read(through: "Success\"}").hasPrefix("28\r\n{\"data\""))
        server.use(faults: FaultPlan(scope: "test"))
        server.use(network: try NetworkSchedule(text: "offline"))
        server.use(network: nil)
        #expect(try get("/get").status == 200)
    }
}

@Suite(
    "A suite's mock servers",
    .mockServer(Route("/a", Answer(body: "one"))),
    .timeLimit(.minutes(5)),
    .blocking
)
struct SuiteTraitTests {
    @Test("Each test of a suite with the trait has a server of its own", arguments: 1...3)
    func own(count: Int) throws {
        _ = try get("/a")
        #expect(try MockServer.current.journal().count == 1)
    }

    @Test(
        "A test's own trait takes precedence over its suite's",
        .mockServer(Route("/b", Answer(body: "two")))
    )
    func inner() throws {
        #expect(try get("/b").text == "two")
        #expect(try get("/a").status == 404)
    }
}
