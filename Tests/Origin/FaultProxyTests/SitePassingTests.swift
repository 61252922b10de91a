import Clocks
import HTTPServing
import LocatedYAML
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

/// A mock server that passes requests to an origin that sends what a test tells it to.
private final class PassingSite {
    let origin: ScriptedServer
    let passer: UpstreamPasser
    let server: MockServer

    init(
        _ site: String = "[]",
        folder: String? = nil,
        upstreamPort: Int? = nil,
        origin script: @escaping @Sendable (ServerConnection) -> Void
    )
        throws
    {
        origin = ScriptedServer(script)
        let authority = "127.0.0.1:\(upstreamPort ?? origin.port)"
        passer = try UpstreamPasser(to: try #require(Upstream(authority: authority)))
        try passer.start()
        var configuration = MockServer.Configuration()
        configuration.passer = passer
        configuration.fixtureFolder = folder
        configuration.site = site == "[]" ? Site() : try SiteFile.decode(site, file: "site.yaml")
        if folder != nil { configuration.site.files = Site.standardFiles }
        server = MockServer(configuration, clock: SystemClock())
        try server.start()
    }

    func client() throws -> RawClient { try RawClient(port: server.port) }

    func stop() {
        server.stop()
        passer.stop()
        origin.stop()
    }
}

@Suite("Answers that pass requests to an upstream", .timeLimit(.minutes(20)), .blocking)
struct SitePassingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    @Test(
        "Responses pass byte for byte",
        arguments: PassingTests.rows.filter { row in
            row.request == "GET / HTTP/1.1\r\nHost: a\r\n\r\n" && !noResponses.contains(row.testDescription)
        }
    )
    func responses(_ row: PassingTests.Row) throws {
        let site = try PassingSite { connection in
            guard connection.readHead() != nil else { return }
            connection.send(row.response)
            if row.closes { connection.close() } else { connection.waitForClose() }
        }
        defer { site.stop() }
        let client = try site.client()
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read(count: row.response.utf8.count) == Array(row.response.utf8))
    }

    /// The rows whose bytes are no response.
    private static let noResponses = ["half a head", "no HTTP"]

    @Test("Bytes that are not a response result in a 502", arguments: noResponses)
    func noResponse(_ name: String) throws {
        let row = try #require(PassingTests.rows.first { $0.testDescription == name })
        let site = try PassingSite { connection in
            if connection.readHead() != nil { connection.send(row.response) }
            connection.close()
        }
        defer { site.stop() }
        let client = try site.client()
        try client.request("GET", "/x")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.contains("did not send an HTTP/1 response"))
    }

    @Test("The upstream gets method, target, fields and content, with its own authority as Host")
    func requests() throws {
        let heads = Lock<[String]>([])
        let site = try PassingSite { connection in
            guard let head = connection.readHead(), let content = connection.read(count: 4) else { return }
            heads.withLock { $0.append(head + content) }
            connection.send(Self.ok)
            connection.waitForClose()
        }
        defer { site.stop() }
        let client = try site.client()
        try client.send(
            "PATCH /a%20b?c=d HTTP/1.1\r\nHost: h\r\nX-a: 1\r\nConnection: x-b, keep-alive\r\nX-B: 2\r\nx-A: 3\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"
        )
        #expect(try client.response().text == "hello")
        let expected =
            "PATCH /a%20b?c=d HTTP/1.1\r\nHost: 127.0.0.1:\(site.origin.port)\r\nX-a: 1\r\nx-A: 3\r\n"
            + "Content-Length: 4\r\n\r\nbody"
        #expect(heads.withLock { $0 } == [expected])
    }

    @Test("A route answers first, then a file, then a page, and the upstream what is left")
    func order() throws {
        let folder = try TestFolder()
        _ = try folder.write("file.txt", "file")
        let site = try PassingSite("- {path: /route, answer: {body: route}}", folder: folder.path) {
            connection in
            while connection.readHead() != nil { connection.send(Self.ok) }
        }
        defer { site.stop() }
        let client = try site.client()
        for (path, text) in [
            ("/route", "route"), ("/file.txt", "file"), ("/other", "hello"), ("/route", "route"),
        ] {
            try client.request("GET", path)
            #expect(try client.response().text == text)
        }
        #expect(site.origin.connections == 1)
        #expect(site.server.journal().map(\.route) == ["1", "files", "upstream", "1"])
        #expect(site.server.journal().map(\.status) == [200, 200, 200, 200])
    }

    @Test("An answer passes with changes or faults, in the order of the list")
    func answers() throws {
        let site = try PassingSite(
            """
            - path: /a
              answers:
                - pass
                - pass: {status: 500, fields: {X: y}, remove: ETag}
                - {status: 404}
                - pass: {body: other}
                - close@body:2
            """
        ) { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello")
            }
        }
        defer { site.stop() }
        let client = try site.client()
        var responses: [RawResponse] = []
        for _ in 0..<4 {
            try client.request("GET", "/a")
            responses.append(try client.response())
        }
        #expect(responses.map(\.status) == [200, 500, 404, 200])
        #expect(responses.map(\.text) == ["hello", "hello", "", "other"])
        #expect(responses.map { $0["ETag"] } == ["\"1\"", nil, nil, "\"1\""])
        #expect(responses[1]["X"] == "y")
        try client.request("GET", "/a")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.ending(after: 2) == Ending(bytes: Array("he".utf8), isReset: false))
        #expect(site.server.journal().last?.faults == ["close@body:2"])
    }

    @Test("A misstated length is followed by the end of the connection")
    func misstatedLength() throws {
        let site = try PassingSite("- {path: /a, answer: content-length=+10@head}") { connection in
            while connection.readHead() != nil { connection.send(Self.ok) }
        }
        defer { site.stop() }
        let client = try site.client()
        try client.request("GET", "/a")
        #expect(try client.read(through: "\r\n\r\n").contains("Content-Length: 15\r\n"))
        #expect(try client.ending(after: 5) == Ending(bytes: Array("hello".utf8), isReset: false))
    }

    @Test("A client that goes away ends the connection to the upstream, from which it has had what was sent")
    func goesAway() async throws {
        let isClosed = Lock(false)
        let site = try PassingSite { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            connection.waitForClose()
            isClosed.withLock { $0 = true }
        }
        defer { site.stop() }
        let client = try site.client()
        try client.request("GET", "/x")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.read(count: 3) == Array("abc".utf8))
        client.close()
        while !isClosed.withLock({ $0 }) { await Task.yield() }
    }

    @Test("Content of megabytes passes in both directions")
    func large() throws {
        let count = 3_000_000
        let site = try PassingSite { connection in
            guard connection.readHead() != nil, let text = connection.read(count: count) else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(text)")
            connection.waitForClose()
        }
        defer { site.stop() }
        let client = try site.client()
        let content = (0..<count).map { UInt8($0 % 251) & 0x7F }
        try client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n")
        try client.send(content)
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.read(count: count) == content)
    }

    @Test("An upstream that refuses connections is 502 with the cause")
    func unreachable() throws {
        let site = try PassingSite(upstreamPort: OwnPort.next()) { _ in }
        defer { site.stop() }
        let client = try site.client()
        try client.request("GET", "/x")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.contains("connection refused"))
    }

    @Test("Without an upstream, an answer that passes is 502 and says what is missing")
    func noUpstream() throws {
        var configuration = MockServer.Configuration()
        configuration.site = try SiteFile.decode("[{path: /a, answer: pass}]", file: "site.yaml")
        let server = MockServer(configuration, clock: SystemClock())
        try server.start()
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("GET", "/a")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.contains("--upstream"))
    }

    @Test(
        "A scenario's origin has no upstream, so that its answers cannot pass",
        arguments: ["pass", "{pass: {}}"]
    )
    func scenarios(_ answer: String) throws {
        let problems = ProblemCollector()
        _ = Route.decodeAll(try YAMLNode.parse("[{answer: \(answer)}]", file: "a.yaml"), problems)
        #expect(throws: YAMLProblems.self) { try problems.throwIfAny() }
    }
}
