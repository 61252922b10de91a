import Clocks
import HTTPServing
import Testing
import TestSupport

@Suite("Clients of a streaming server that are too slow, or too many", .timeLimit(.minutes(20)), .blocking)
struct StreamLimitTests {
    private let clock = VirtualClock(wallSeconds: 0)

    private func server(_ change: (inout StreamServer.Configuration) -> Void = { _ in }) throws
        -> StreamServer
    {
        var configuration = StreamServer.Configuration()
        configuration.threads = 1
        change(&configuration)
        let server = StreamServer(configuration, handler: EchoingHandler(), clock: clock)
        try server.start()
        return server
    }

    /// Advances time in steps, after each of which the server has checked its connections.
    private func pass(seconds: Int, _ server: StreamServer) throws {
        try askMeanwhile(server)
        for _ in 0..<seconds / 5 {
            clock.advance(by: .seconds(5))
            try askMeanwhile(server)
        }
    }

    /// Performs one exchange, after which the server has read earlier bytes of another connection.
    private func askMeanwhile(_ server: StreamServer) throws {
        let other = try RawClient(port: server.port)
        try other.request("GET", "/")
        _ = try other.response()
    }

    @Test(
        "An incomplete head results in 408, however often a byte of it arrives",
        arguments: ["G", "GET /pre", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX-"]
    )
    func slowHead(head: String) throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        try client.send(head)
        for _ in 0..<5 {
            try pass(seconds: 5, server)
            try client.send("E")
        }
        try pass(seconds: 15, server)
        #expect(try client.response().status == 408)
        #expect(try client.isAtEnd())
    }

    @Test("A second request's head has the same time limit as the first's")
    func secondHead() throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/")
        #expect(try client.response().status == 200)
        try pass(seconds: 100, server)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
        try pass(seconds: 25, server)
        try client.send("\r\n")
        #expect(try client.response().status == 200)
    }

    @Test(
        "Content slower than 1 KiB a second results in 408 after a minute",
        arguments: ["Content-Length: 10000", "Transfer-Encoding: chunked"]
    )
    func slowContent(framing: String) throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        try client.request("POST", "/", [framing])
        for _ in 0..<5 {
            try client.send(framing.hasPrefix("T") ? "1\r\na\r\n" : "a")
            try pass(seconds: 10, server)
        }
        try pass(seconds: 20, server)
        #expect(try client.response().status == 408)
        #expect(try client.isAtEnd())
    }

    @Test("Content of at least 1 KiB a second is not limited in time")
    func steadyContent() throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        let second = String(repeating: "a", count: 10 << 10)
        try client.request("POST", "/", ["Content-Length: \(20 * second.utf8.count)"])
        for _ in 0..<20 {
            try client.send(second)
            try pass(seconds: 10, server)
        }
        #expect(try client.response().text == "\(20 * second.utf8.count)")
    }

    @Test("An idle connection is closed without a response", arguments: [true, false])
    func idle(isUsed: Bool) throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        if isUsed {
            try client.request("GET", "/")
            _ = try client.response()
        }
        try pass(seconds: 310, server)
        #expect(try client.isAtEnd())
    }

    @Test("A client that reads nothing of a response for a minute is disconnected")
    func slowReader() throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/large")
        _ = try client.read(through: "\r\n\r\n")
        try pass(seconds: 70, server)
        #expect(try client.readToEnd().count < EchoingHandler.large.count)
    }

    @Test("A connection beyond the limit results in 503, and another is accepted when one ends")
    func connections() async throws {
        let server = try server { $0.connectionLimit = 2 }
        let clients = try (0..<2).map { _ in
            let client = try RawClient(port: server.port)
            try client.request("GET", "/")
            _ = try client.response()
            return client
        }
        let third = try RawClient(port: server.port)
        #expect(try third.response().status == 503)
        #expect(try third.isAtEnd())
        third.close()
        clients[1].close()
        while server.openConnections > 1 { await Task.yield() }
        try clients[0].request("GET", "/")
        #expect(try clients[0].response().status == 200)
        let fourth = try RawClient(port: server.port)
        try fourth.request("GET", "/")
        #expect(try fourth.response().status == 200)
    }

    @Test("Pipelined requests are answered even if the first response does not fit into the socket")
    func sentAhead() throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        let request = "GET /prepared HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.send(request + request)
        for _ in 0..<2 {
            _ = try client.read(through: "\r\n\r\n")
            #expect(try client.read(count: EchoingHandler.large.count) == EchoingHandler.large)
        }
    }
}

/// Answers with the number of received bytes; `/large` and `/prepared` with many bytes.
private struct EchoingHandler: StreamHandler {
    // The pool's threads are busy with tests that wait for answers.
    private let executor = ThreadExecutor()
    static let large = [UInt8](repeating: 0x78, count: 8 << 20)

    static func head(_ status: Int, _ count: Int) -> [UInt8] {
        Array("HTTP/1.1 \(status) \r\nContent-Length: \(count)\r\n\r\n".utf8)
    }

    func makeAnswerer() -> any StreamAnswerer { PreparedAnswerer() }

    func begin(_ exchange: StreamExchange) {
        if exchange.request.target == Array("/large".utf8) {
            exchange.writeNow(Self.head(200, Self.large.count) + Self.large)
            return exchange.finish(isPersistent: true)
        }
        Task(executorPreference: executor) {
            var count = 0
            do {
                while let piece = try await exchange.nextPiece() { count += piece.count }
                let text = Array("\(count)".utf8)
                exchange.writeNow(Self.head(200, text.count) + text)
            } catch {
                exchange.writeNow(Self.head(exchange.contentProblem?.status ?? 400, 0))
            }
            exchange.finish(isPersistent: exchange.hasWholeContent)
        }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] { Self.head(problem.status, 0) }
}

/// Answers `/prepared` at once.
private final class PreparedAnswerer: StreamAnswerer {
    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool {
        guard head.target.elementsEqual("/prepared".utf8) else { return false }
        answer.head += EchoingHandler.head(200, EchoingHandler.large.count)
        answer.body = EchoingHandler.large
        return true
    }
}
