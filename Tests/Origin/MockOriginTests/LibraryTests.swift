import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A mock server in a test", .timeLimit(.minutes(20)), .blocking)
struct LibraryTests {
    private func ask(_ server: MockServer, _ target: String, method: String = "GET", body: String = "") throws
        -> RawResponse
    {
        let client = try RawClient(port: server.port)
        try client.request(method, target, body: body)
        return try client.response()
    }

    @Test("One line starts a server with routes, which are replaced while it runs")
    func routes() throws {
        let server = try MockServer.started(routes: [
            Route(label: "a", path: .exact("/a"), answers: [.text("one")])
        ])
        defer { server.stop() }
        #expect(server.url == "http://127.0.0.1:\(server.port ?? 0)")
        #expect(try ask(server, "/a").text == "one")
        #expect(try ask(server, "/b").status == 404)
        server.replace(routes: [Route(label: "b", path: .exact("/b"), answers: [.text("two")])])
        #expect(try ask(server, "/a").status == 404)
        #expect(try ask(server, "/b").text == "two")
    }

    @Test("A request without a route, file or page is one that matches nothing, whatever their answers are")
    func matches() throws {
        let gone = Route(label: "gone", path: .exact("/gone"), answers: [.with { $0.status = 404 }])
        let server = try MockServer.started(routes: [
            gone, Route(label: "p", path: .exact("/p"), methods: ["PUT"], answers: [.text("p")]),
        ])
        defer { server.stop() }
        for target in ["/gone", "/get", "/get?status=500"] { _ = try ask(server, target) }
        try server.requireMatches()
        for target in ["/none", "/p"] { _ = try ask(server, target) }
        #expect { try server.requireMatches() } throws: { error in
            (error as? UnmatchedRequests)?.requests.map(\.path) == ["/none", "/p"]
        }
    }

    /// An upstream without a network, which answers every request with a few bytes.
    private struct Upstream: RequestPasser {
        let ended = Lock(0)

        func pass(_ request: PassedRequest) -> PassedReply {
            let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            request.onHead(200, [])
            return PassedReply(steps: [.write(bytes[...])]) { ended.withLock { $0 += 1 } }
        }
    }

    @Test("The connection to an upstream is released when the reply has ended, once for each request")
    func passed() throws {
        let upstream = Upstream()
        var configuration = MockServer.Configuration()
        configuration.passer = upstream
        let server = MockServer(configuration, clock: VirtualClock(wallSeconds: 0))
        try server.start()
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        for number in 1...3 {
            try client.request("GET", "/upstream/\(number)")
            #expect(try client.response().text == "ok")
        }
        server.stop()
        #expect(upstream.ended.withLock { $0 } == 3)
    }

    @Test("A second start throws and opens no other port, and a server that was stopped can be started again")
    func secondStart() throws {
        var configuration = MockServer.Configuration(port: try OwnPort.next())
        configuration.site = Site(routes: [.get("/a")])
        try configuration.useTLS()
        configuration.tlsPort = try OwnPort.next()
        let server = MockServer(configuration, clock: SystemClock())
        try server.start()
        let ports = [server.port, server.tlsPort]
        #expect(throws: ServerError.alreadyStarted) { try server.start() }
        #expect([server.port, server.tlsPort] == ports)
        #expect(try ask(server, "/a").status == 200)
        server.stop()
        for port in ports { #expect(throws: (any Error).self) { try RawClient(port: port) } }
        try server.start()
        defer { server.stop() }
        #expect(try ask(server, "/a").status == 200)
    }

    @Test("A server that refuses connections does so on both ports, and accepts them again on the same")
    func outageOfBoth() throws {
        let server = try MockServer.started(routes: [.get("/a")], tls: .good)
        defer { server.stop() }
        let ports = [server.port, server.tlsPort]
        try server.stopListening()
        for port in ports { #expect(throws: (any Error).self) { try RawClient(port: port) } }
        try server.startListening()
        #expect([server.port, server.tlsPort] == ports)
        for port in ports { #expect(throws: Never.self) { try RawClient(port: port) } }
    }

    @Test("A server whose TLS port is in use can be started when that is free")
    func startAgain() throws {
        let other = MockServer(.init(port: try OwnPort.next()), clock: SystemClock())
        try other.start()
        var configuration = MockServer.Configuration()
        try configuration.useTLS()
        configuration.tlsPort = other.port
        let server = MockServer(configuration, clock: SystemClock())
        #expect(throws: ServerError.self) { try server.start() }
        other.stop()
        try server.start()
        defer { server.stop() }
        #expect(server.tlsPort == configuration.tlsPort)
    }

    @Test("A site is only served from a folder", arguments: ["/nope", "/dev/null", ""])
    func noFolder(path: String) {
        #expect(throws: ServerError.notAFolder(path)) { try MockServer.started(serving: path) }
    }

    @Test("A route's path matches with and without a slash at its beginning", arguments: ["users", "/users"])
    func slash(path: String) throws {
        let server = try MockServer.started(routes: [.get(PathPattern(path), .plainText("one"))])
        defer { server.stop() }
        #expect(try ask(server, "/users").text == "one")
    }

    @Test("A server whose clock is beyond all dates answers, and a delay of any length ends then")
    func endOfTime() async throws {
        let delayed = Answer.text("late").delayed(by: .seconds(Int64.max) * 18)
        let server = try MockServer.started(routes: [
            Route(label: "a", path: .exact("/a"), answers: [.text("one").maxAge(.seconds(Int64.max) * 18)]),
            Route(label: "late", path: .exact("/late"), answers: [delayed]),
        ])
        defer { server.stop() }
        let late = Task.detached(executorPreference: BlockingExecutor.shared) {
            try ask(server, "/late").text
        }
        _ = try await server.waitForRequests(1) { $0.route == "late" }
        try server.advance(by: .seconds(Int64.max))
        try server.advance(by: .seconds(Int64.max) * 18)
        #expect(try await late.value == "late")
        #expect(try ask(server, "/a").text == "one")
    }

    @Test("An answer with two faults has both, one after the other")
    func twoFaults() async throws {
        let answer = Answer.plainText("hello").fault(.delay(by: .seconds(60)), at: .head)
            .fault(.close, at: .body, byte: 2)
        let server = try MockServer.started(routes: [.get("/a", answer)])
        defer { server.stop() }
        let broken = Task.detached(executorPreference: BlockingExecutor.shared) {
            let client = try RawClient(port: server.port)
            try client.request("GET", "/a")
            return try client.read(through: "\r\n\r\nhe")
        }
        _ = try await server.waitForRequests(1)
        #expect(!server.journal()[0].isEnded)
        try server.advance(by: .seconds(60))
        #expect(try await broken.value.hasPrefix("HTTP/1.1 200"))
        _ = try await server.waitForRequests(1) { $0.isEnded }
        #expect(server.journal()[0].faults == ["delay=60s@head", "close@body:2"])
    }

    @MainActor
    @Test("A function on the main actor starts a server for its own closure")
    func mainActor() async throws {
        var texts: [String] = []
        try await withMockServer(Route(label: "a", path: .exact("/a"), answers: [.text("one")])) { server in
            texts.append(server.url)
        }
        #expect(texts.count == 1)
    }

    @Test("A test waits for certain requests")
    func waiting() async throws {
        let server = try MockServer.started(routes: [
            Route(label: "a", path: .exact("/a"), answers: [Answer()])
        ])
        defer { server.stop() }
        async let seen = server.waitForRequests(2) { $0.route == "a" }
        let clients = Task.detached(executorPreference: BlockingExecutor.shared) {
            for target in ["/a", "/b", "/a"] {
                let client = try RawClient(port: server.port)
                try client.request("GET", target)
                _ = try client.response()
            }
        }
        try await clients.value
        #expect(try await seen.map(\.request.target) == ["/a", "/a"])
    }

    @Test("A path selects the requests to it with any method, unless it is the label of a route")
    func labels() async throws {
        let server = try MockServer.started(routes: [
            .post("/a", .status(201)), .get("/b", .status(200)), .post("/b", .status(201)),
        ])
        defer { server.stop() }
        for (method, target) in [("POST", "/a"), ("PUT", "/a"), ("GET", "/b"), ("POST", "/b")] {
            _ = try ask(server, target, method: method)
        }
        #expect(try await server.requireRequests(2, to: "/a").map(\.method) == ["POST", "PUT"])
        #expect(try await server.requireRequests(1, to: "POST /a").map(\.method) == ["POST"])
        #expect(try await server.requireRequests(1, to: "/b").map(\.method) == ["GET"])
    }

    @Test("A server of a folder answers with its files and routes, and problems of these are thrown")
    func folder() throws {
        let folder = try TestFolder()
        _ = try folder.write("page.txt", "page")
        _ = try folder.write("routes.yaml", "routes: [{path: /a, answer: {body: one}}]")
        let server = try MockServer.started(serving: folder.path)
        defer { server.stop() }
        #expect(try ask(server, "/page.txt").text == "page")
        #expect(try ask(server, "/a").text == "one")
        _ = try folder.write(
            "routes.yaml",
            """
            - {path: /a, answer: {body: one}}
            - {path: '/f/**', answer: {body: {folder: .}}}
            """
        )
        for name in ["sub/b.txt", ".hidden", "indexed/index.html"] { _ = try folder.write(name, name) }
        let again = try MockServer.started(serving: folder.path)
        defer { again.stop() }
        let targets = [
            "page.txt", "sub/b.txt", "indexed/", "routes.yaml", ".hidden", "none", "sub/", "page.txt/",
        ]
        let statuses = try targets.map { try ask(again, "/f/" + $0).status }
        #expect(statuses == [200, 200, 200, 404, 404, 404, 404, 404])
        #expect(try ask(again, "/f/indexed/").text == "indexed/index.html")
        let moved = try ask(again, "/f/sub?x=1")
        #expect(moved.status == 301 && moved["Location"] == "/f/sub/?x=1")
        _ = try folder.write("routes.yaml", "routes: [{path: /a, answr: {}}]")
        #expect(throws: YAMLProblems.self) { try MockServer.started(serving: folder.path) }
    }

    @Test("A cancelled wait ends with an error that lists the requests so far")
    func cancelled() async throws {
        let server = try MockServer.started()
        defer { server.stop() }
        let waiting = Task { try await server.waitForRequests() }
        waiting.cancel()
        let error = await #expect(throws: UnexpectedRequests.self) { try await waiting.value }
        #expect(error?.count == 0 && error?.seen.isEmpty == true)
    }

    @Test("A route takes precedence over a page with the same path, and pages work beside routes")
    func pages() throws {
        let server = try MockServer.started(routes: [
            Route(label: "get", path: .exact("/get"), answers: [.text("mine")])
        ])
        defer { server.stop() }
        #expect(try ask(server, "/get").text == "mine")
        #expect(try ask(server, "/fetchMockData").status == 200)
        server.replace(routes: [])
        #expect(try ask(server, "/get").text == #"{"data":"GET Method","status":"Success"}"#)
    }

    @Test("Two servers are independent")
    func isolated() throws {
        let servers = try ["one", "two"].map { text in
            try MockServer.started(routes: [Route(label: "1", answers: [.text(text)])])
        }
        defer { servers.forEach { $0.stop() } }
        #expect(try servers.map { try ask($0, "/").text } == ["one", "two"])
        #expect(servers.map { $0.journal().count } == [1, 1])
    }

    @Test("Pages accept violations and ranges in the query")
    func query() throws {
        let server = try MockServer.started()
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("GET", "/get?ranges=true&violations=wrong-content-range", ["Range: bytes=0-1"])
        let response = try client.response()
        #expect(response.status == 206)
        #expect(response["Content-Range"] == "bytes 1-2/40")
        #expect(try ask(server, "/get?violations=wrong").status == 400)
    }

    @Test("The sequence of exchanges has each that has ended, once and in order, also those from before")
    func exchanges() async throws {
        let server = try MockServer.started(routes: [.get("/a")])
        defer { server.stop() }
        for target in ["/a", "/none"] { _ = try ask(server, target) }
        var targets: [String] = []
        for await exchange in server.exchanges {
            targets.append(exchange.request.target)
            if targets.count == 2 { _ = try ask(server, "/last") }
            if targets.count == 3 { break }
        }
        #expect(targets == ["/a", "/none", "/last"])
        await server.shutDown()
        #expect(server.port == nil || (try? RawClient(port: server.port)) == nil)
    }

    @Test("A path is appended to the server's address, with and without a slash at its beginning")
    func addresses() throws {
        let server = try MockServer.started()
        defer { server.stop() }
        #expect(server.url("/a") == server.url + "/a")
        #expect(server.url("a") == server.url + "/a")
    }

    @Test("The near misses of a request can be asked for without sending it")
    func nearMisses() throws {
        let server = try MockServer.started(routes: [.post("/a"), .get("/b")])
        defer { server.stop() }
        let request = ServedRequest(method: "GET", target: "/a")
        #expect(server.nearMisses(for: request).first == "POST /a: method is GET, expected POST")
        #expect(server.journal().isEmpty)
    }

    @Test(
        "A request without a near miss gets no list of them",
        arguments: [([Route](), false), ([.get("/b")], true)]
    )
    func namedNearMisses(routes: [Route], areNamed: Bool) throws {
        let server = try MockServer.started(routes: routes)
        defer { server.stop() }
        #expect(try ask(server, "/a").text.contains("Near misses") == areNamed)
    }

    @Test("A site replaces routes, pages and files while the server runs")
    func replacedSite() throws {
        let server = try MockServer.started(routes: [.get("/a", .text("one"))])
        defer { server.stop() }
        server.replace(Site(routes: [.get("/b", .text("two"))]))
        #expect(try ask(server, "/a").status == 404)
        #expect(try ask(server, "/b").text == "two")
    }
}
