import Clocks
import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Immediate responses of a streaming server", .timeLimit(.minutes(20)), .blocking)
struct StreamAnswererTests {
    private let handler = ReadyHandler()

    private func client() throws -> (client: RawClient, server: StreamServer) {
        var configuration = StreamServer.Configuration()
        configuration.threads = 1
        let server = StreamServer(configuration, handler: handler, clock: SystemClock())
        try server.start()
        return (try RawClient(port: server.port), server)
    }

    private static func get(_ target: String, _ lines: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n"
    }

    @Test(
        "Pipelined requests are answered in order, whether at once or by an exchange, RFC 9112 §9.3.2",
        arguments: [
            ["/ready", "/exchange", "/ready"], ["/exchange", "/ready", "/exchange"],
            ["/ready", "/large", "/ready", "/exchange"], ["/large", "/large", "/ready"],
            ["/file", "/ready", "/file"], ["/exchange", "/file", "/large", "/exchange"],
        ]
    )
    func order(targets: [String]) throws {
        let (client, server) = try client()
        try client.send(targets.map { Self.get($0) }.joined())
        for target in targets {
            let response = try client.response()
            #expect(response["X-Target"] == target)
            #expect(response.body == handler.bodies[target])
        }
        #expect(server.openConnections == 1)
    }

    @Test(
        "A request with content is not answered at once, and its content is not the next request",
        arguments: [
            "Content-Length: 7\r\n\r\nGET / H", "Transfer-Encoding: chunked\r\n\r\n7\r\nGET / H\r\n0\r\n\r\n",
        ]
    )
    func content(framing: String) throws {
        let (client, server) = try client()
        defer { server.stop() }
        try client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\(framing)" + Self.get("/ready"))
        #expect(try client.response().text == "exchange: GET / H")
        #expect(try client.response().text == "ready")
    }

    @Test("The bytes of an earlier head are answered again without being parsed, other bytes are parsed")
    func again() throws {
        let (client, server) = try client()
        defer { server.stop() }
        let (one, other) = (Self.get("/ready"), Self.get("/ready", "X: 1\r\n"))
        for head in [one, one, other, other, "\r\n" + other, one] {
            try client.send(head)
            #expect(try client.response().text == "ready")
        }
        #expect(handler.parsed.withLock { $0 } == [one, other, one])
    }

    @Test("Nothing is answered after an immediate response that ends the connection")
    func last() throws {
        let (client, server) = try client()
        defer { server.stop() }
        try client.send(Self.get("/last") + Self.get("/ready") + Self.get("/exchange"))
        #expect(try client.response()["X-Target"] == "/last")
        #expect(try client.isAtEnd())
        #expect(handler.parsed.withLock { $0 } == [Self.get("/last")])
    }

    @Test("A file that has changed ends the connection after the head, so that the client detects it")
    func changed() async throws {
        let (client, server) = try client()
        try client.send(Self.get("/changed") + Self.get("/ready"))
        let text = try String(decoding: client.readToEnd(), as: UTF8.self)
        #expect(text.hasSuffix("Content-Length: 5\r\n\r\n"))
        while server.openConnections > 0 { await Task.yield() }
    }

    @Test("A refused request ends the connection after the responses to the requests before it")
    func refused() throws {
        let (client, server) = try client()
        defer { server.stop() }
        try client.send(
            Self.get("/ready") + Self.get("/exchange") + "GET / HTTP/1.1\r\n\r\n" + Self.get("/ready")
        )
        #expect(try client.response().text == "ready")
        #expect(try client.response().text == "exchange: ")
        #expect(try client.response().status == 400)
        #expect(try client.isAtEnd())
    }

    @Test("Of many pipelined requests only some are answered before the client reads, and then all")
    func unread() throws {
        let (client, server) = try client()
        defer { server.stop() }
        try client.send(String(repeating: Self.get("/middle"), count: 1000))
        // The one thread of the server gets to this connection after the first.
        let other = try RawClient(port: server.port)
        try other.send(Self.get("/ready"))
        #expect(try other.response().text == "ready")
        // The sockets hold some 6 MiB, which are 200 responses.
        #expect(handler.parsed.withLock { $0.count } < 500)
        for _ in 0..<1000 { try #require(try client.response().body == handler.bodies["/middle"]) }
    }

    @Test("Two thousand pipelined requests are answered before the client reads the first response")
    func manyAhead() throws {
        let (client, server) = try client()
        defer { server.stop() }
        try client.send(String(repeating: Self.get("/ready"), count: 2000))
        try client.send(Self.get("/exchange"))
        for _ in 0..<2000 { try #require(try client.response().text == "ready") }
        #expect(try client.response().text == "exchange: ")
    }
}

/// Answers `/exchange` and requests with content by an exchange, with the content, and everything else at once.
private final class ReadyHandler: StreamHandler {
    // The pool's threads are busy with tests that wait for answers.
    private let executor = ThreadExecutor()
    /// The heads that were parsed and answered at once.
    let parsed = Lock<[String]>([])
    let bodies: [String: [UInt8]] = [
        "/ready": Array("ready".utf8), "/exchange": Array("exchange: ".utf8),
        "/middle": [UInt8](repeating: 0x79, count: 32 << 10),
        "/large": [UInt8](repeating: 0x78, count: 3 << 20),
        "/file": (0..<200_000).map { UInt8(truncatingIfNeeded: $0) },
    ]

    static func head(_ status: Int, _ count: Int, _ target: String) -> [UInt8] {
        Array("HTTP/1.1 \(status) \r\nX-Target: \(target)\r\nContent-Length: \(count)\r\n\r\n".utf8)
    }

    func makeAnswerer() -> any StreamAnswerer { ReadyAnswerer(self) }

    func begin(_ exchange: StreamExchange) {
        Task(executorPreference: executor) {
            var content = Array("exchange: ".utf8)
            while let piece = try await exchange.nextPiece() { content += piece }
            let target = String(decoding: exchange.request.target, as: UTF8.self)
            exchange.writeNow(Self.head(200, content.count, target) + content)
            exchange.finish(isPersistent: exchange.hasWholeContent)
        }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] { Self.head(problem.status, 0, "") }
}

/// Answers at once, and the same head again without a look at its parts.
private final class ReadyAnswerer: StreamAnswerer {
    private let handler: ReadyHandler
    private var known: [UInt8] = []

    init(_ handler: ReadyHandler) { self.handler = handler }

    func answerAgain(_ head: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool {
        guard head.elementsEqual(known), let body = handler.bodies["/ready"] else { return false }
        answer.head += ReadyHandler.head(200, body.count, "/ready")
        answer.body = body
        return true
    }

    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool {
        let target = String(decoding: head.target, as: UTF8.self)
        guard target != "/exchange" else { return false }
        handler.parsed.withLock { $0.append(String(decoding: head.bytes, as: UTF8.self)) }
        if target == "/ready" { known = Array(head.bytes) }
        let body = handler.bodies[target] ?? []
        let isFile = target == "/file" || target == "/changed"
        if isFile {
            answer.file = try? CountingFile(
                target == "/file" ? body.count : 5,
                isUnchanged: target == "/file"
            )
        } else {
            answer.body = body
        }
        answer.endsConnection = target == "/last"
        answer.head += ReadyHandler.head(200, answer.file?.count ?? body.count, target)
        return true
    }
}
