import MockOriginTesting
import Testing
import TestSupport

private func get(_ target: String) throws -> RawResponse {
    let client = try RawClient(port: MockServer.current.port)
    try client.request("GET", target)
    return try client.response()
}

@Suite("A test's mock server", .timeLimit(.minutes(20)), .blocking)
struct MockServerTraitTests {
    @Test("A test has a server with its routes", .mockServer(Route("/a", Answer(body: "one"))))
    func routes() throws {
        #expect(try get("/a").text == "one")
        #expect(try get("/b").status == 404)
    }

    @Test("Without the trait there is no server, which is an error")
    func missing() {
        #expect(throws: MissingMockServerError.self) { try MockServer.current }
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
                the route "/a" received 0 requests, expected 1; requests:
                  GET /b → 404: path is /b, expected /a
                """
        )
    }

    @Test(
        "A delay counts from the arrival of its request, so moving the clock after that ends it",
        .mockServer(.get("/a", .plainText("late").delayed(by: .seconds(3600))))
    )
    func delayFromArrival() async throws {
        let server = try MockServer.current
        let client = try RawClient(port: server.port)
        try client.request("GET", "/a")
        try await server.waitForRequests()
        try server.advance(by: .seconds(3600))
        #expect(try client.response().text == "late")
    }

    @Test(
        "Of many other requests the ten nearest are listed, after those of the route, each with its difference",
        .mockServer(.post("/a"), .get("/b/{id}"))
    )
    func nearestRequests() async throws {
        let server = try MockServer.current
        let client = try RawClient(port: server.port)
        for target in ["/zzzzz"] + (1...10).map({ "/b/\($0)" }) + ["/a"] {
            try client.request("GET", target)
            _ = try client.response()
        }
        try client.request("POST", "/a")
        _ = try client.response()
        let error = await #expect(throws: UnexpectedRequests.self) {
            try await server.requireRequests(2, to: "POST /a", within: .milliseconds(1))
        }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        try #require(lines.count == 12)
        #expect(lines[0] == "the route \"POST /a\" received 1 request, expected 2; requests:")
        #expect(lines[1] == "  POST /a → 200 (POST /a)")
        #expect(lines[2] == "  GET /a → 405: method is GET, expected POST")
        #expect(lines[3] == "  GET /zzzzz → 404: path is /zzzzz, expected /a; method is GET, expected POST")
        #expect(
            lines[4] == "  GET /b/1 → 200 (/b/{id}): path is /b/1, expected /a; method is GET, expected POST"
        )
        #expect(lines[11] == "  and 3 more")
        #expect(error?.seen.map(\.request.target).last == "/a" && error?.seen.count == 13)
    }

    @Test(
        "A label that no route has is an error with similar labels, and requests are compared with what it says",
        .mockServer(.get("/users"), .post("/users"), .get("/orders")),
        arguments: [
            ("/user", "/users", "path is /users, expected /user"),
            ("POST /user", "POST /users", "path is /users, expected /user; method is GET, expected POST"),
        ]
    )
    func misspelt(label: String, similar: String, difference: String) async throws {
        _ = try get("/users")
        let server = try MockServer.current
        let error = await #expect(throws: UnexpectedRequests.self) {
            try await server.requireRequests(1, to: label, within: .milliseconds(1))
        }
        #expect(
            error?.description == """
                the route "\(label)" received 0 requests, expected 1; no route has this label, similar ones are "\(similar)"; requests:
                  GET /users → 200 (/users): \(difference)
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

    @Test("A server for a closure has the clock, the port with TLS and the folder that were asked for")
    func closure() async throws {
        let folder = try TestFolder()
        _ = try folder.write("one.txt", "one")
        let route = Route("/a", Answer(body: .file("one.txt")))
        try await withMockServer(route, folder: folder.path, standingAt: .seconds(60), tls: .good) { server in
            #expect(server.clock.timeSinceEpoch == .seconds(60))
            #expect(server.tlsURL != nil && server.authorityPEM != nil)
            let client = try RawClient(port: server.port)
            try client.request("GET", "/a")
            #expect(try client.response().text == "one")
        }
    }

    @Test(
        "A strict server for a closure throws requests that no route is for, after the closure",
        arguments: [
            (
                "GET", "/user",
                "No route matches GET /user. Near misses:\n  POST /users: path is /user, expected /users"
            ),
            ("GET", "/users", "No route matches GET /users. Near misses:\n  POST /users: method is GET"),
            ("POST", "/users", nil), ("GET", "/get", nil),
        ]
    )
    func strict(method: String, target: String, problem: String?) async throws {
        for isStrict in [true, false] {
            var thrown: UnmatchedRequests?
            do {
                try await withMockServer(.post("/users"), isStrict: isStrict) { server in
                    let client = try RawClient(port: server.port)
                    try client.request(method, target)
                    _ = try client.response()
                }
            } catch let error as UnmatchedRequests {
                thrown = error
            }
            #expect((thrown == nil) == (problem == nil || !isStrict))
            if let thrown { #expect(thrown.description.hasPrefix(problem ?? "none")) }
        }
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
    .timeLimit(.minutes(20)),
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
