import Clocks
import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Clients that close their side of the connection, RFC 9112 §9.6", .timeLimit(.minutes(20)), .blocking)
struct HalfCloseTests {
    private let handler = TestHandler()

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test(
        "All complete requests are answered, then the connection ends without a reset",
        arguments: [
            ["/prepared", "/chunked", "/prepared"], ["/raw", "/prepared", "/raw"], ["/prepared", "/raw"],
            ["/raw", "/raw", "/chunked"],
        ],
        ["", "GET /pre", "GET /prepared HTTP/1.1\r\nHost: a\r\n"]
    )
    func pipelined(targets: [String], rest: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(targets.map(Self.get).joined() + rest)
        client.endSending()
        for target in targets {
            #expect(try client.response().text == (target == "/raw" ? "raw" : "ready"))
        }
        #expect(try client.isAtEnd())
        #expect(handler.seen.withLock { $0.map(\.target) } == targets.filter { $0 == "/raw" })
    }

    @Test(
        "A request whose content is incomplete reaches no handler, and the connection ends without a response",
        arguments: [
            "Content-Length: 10\r\n\r\nabc", "Content-Length: 1\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3\r\nab",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n",
        ]
    )
    func incomplete(content: String) async throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("POST /raw HTTP/1.1\r\nHost: a\r\n" + content)
        client.endSending()
        #expect(try client.readToEnd().isEmpty)
        #expect(handler.seen.withLock { $0.isEmpty })
        while server.openConnections > 0 { await Task.yield() }
    }

    @Test("A client that closes its side while its response is held counts as disconnected")
    func held() async throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(Self.get("/park") + Self.get("/prepared"))
        while handler.parked.withLock({ $0 }) == 0 { await Task.yield() }
        client.endSending()
        #expect(try client.readToEnd().isEmpty)
        while server.openConnections > 0 { await Task.yield() }
        #expect(handler.ends.withLock { $0 } == [.aborted])
        handler.hold.release()
    }

    @Test("A response of several megabytes is sent completely")
    func large() throws {
        let server = try handler.server()
        for target in ["/large", "/much"] {
            let client = try RawClient(port: server.port)
            try client.send(Self.get(target))
            client.endSending()
            let bytes = try client.readToEnd()
            #expect(bytes.suffix(8 << 20).allSatisfy { $0 == 0x78 })
            #expect(bytes.count >= 8 << 20)
        }
    }

    // MARK: The streaming server

    /// Sends text and closes the client's side while the only thread waits, so that it reads both at once.
    private func sendAtOnce(_ text: String, to server: StreamServer, _ handler: GatedHandler) throws
        -> RawClient
    {
        let (first, client) = try (RawClient(port: server.port), RawClient(port: server.port))
        try first.send(Self.get("/wait"))
        handler.isWaiting.wait()
        try client.send(text)
        client.endSending()
        handler.gate.open()
        #expect(try first.response().status == 200)
        return client
    }

    @Test("An exchange is completed if the client's end arrived with its request", arguments: ["", "abc"])
    func streamed(content: String) throws {
        let script = GatedHandler()
        let server = try script.server()
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
        let client = try sendAtOnce(head + content, to: server, script)
        #expect(try client.response().text == content)
        #expect(try client.isAtEnd())
    }

    @Test(
        "Content that ends early ends the exchange and the connection, without a response",
        arguments: ["Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"]
    )
    func streamedIncomplete(content: String) async throws {
        let script = GatedHandler()
        let server = try script.server()
        let client = try sendAtOnce("POST /a HTTP/1.1\r\nHost: a\r\n" + content, to: server, script)
        #expect(try client.readToEnd().isEmpty)
        script.isGone.wait()
        while server.openConnections > 1 { await Task.yield() }
    }
}

/// Answers with the request's content; blocks the loop's thread at `/wait` until the gate is opened.
private final class GatedHandler: StreamHandler {
    // The pool's threads are busy with tests that wait for answers.
    private let executor = ThreadExecutor()
    let isWaiting = Wake()
    let gate = Gate()
    let isGone = Wake()

    func server() throws -> StreamServer {
        var configuration = StreamServer.Configuration()
        configuration.threads = 1
        let server = StreamServer(configuration, handler: self, clock: SystemClock())
        try server.start()
        return server
    }

    func begin(_ exchange: StreamExchange) {
        if exchange.request.target == Array("/wait".utf8) {
            isWaiting.post()
            gate.wait()
        }
        Task(executorPreference: executor) { [isGone] in
            do {
                var content: [UInt8] = []
                while let piece = try await exchange.nextPiece() { content += piece }
                let head = "HTTP/1.1 200 \r\nContent-Length: \(content.count)\r\n\r\n"
                exchange.writeNow(Array(head.utf8) + content)
                exchange.finish(isPersistent: exchange.hasWholeContent)
            } catch {
                exchange.abort()
                isGone.post()
            }
        }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        Array("HTTP/1.1 \(problem.status) \r\nContent-Length: 0\r\n\r\n".utf8)
    }
}
