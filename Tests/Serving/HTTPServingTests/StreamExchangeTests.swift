import Clocks
import HTTPServing
import Locks
import Testing
import TestSupport

private let post = "POST /a HTTP/1.1\r\nHost: a\r\n"
private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite("Exchanges of a streaming server", .timeLimit(.minutes(20)), .blocking)
struct StreamExchangeTests {
    private func start(
        _ answer: @escaping @Sendable (StreamExchange) async throws -> Void = Script.echo,
        _ change: (inout StreamServer.Configuration) -> Void = { _ in }
    ) throws -> (server: StreamServer, script: Script) {
        var configuration = StreamServer.Configuration()
        configuration.threads = 1
        change(&configuration)
        let script = Script(answer)
        let server = StreamServer(configuration, handler: script, clock: SystemClock())
        try server.start()
        return (server, script)
    }

    // MARK: Requests

    @Test("Pipelined requests of every framing are answered in order on one connection, RFC 9112 §9.3.2")
    func pipelined() throws {
        let (server, _) = try start()
        let client = try RawClient(port: server.port)
        try client.send(
            post + "Content-Length: 3\r\n\r\nabc" + get
                + post + "Transfer-Encoding: chunked\r\n\r\n2\r\nde\r\n3;x\r\nfgh\r\n0\r\nT: 1\r\n\r\n"
                + post + "Content-Length: 0\r\n\r\n" + post + "Content-Length: 1\r\n\r\ni"
        )
        let bodies = try (0..<5).map { _ in try client.response().text }
        #expect(bodies == ["abc", "", "defgh", "", "i"])
    }

    @Test("Content arrives complete, in whatever pieces it is sent", arguments: [1, 3, 64])
    func pieces(size: Int) throws {
        let (server, _) = try start()
        let client = try RawClient(port: server.port)
        let text = "12345678901234567890"
        let message = Array((post + "Content-Length: 20\r\n\r\n" + text).utf8)
        for begin in stride(from: 0, to: message.count, by: size) {
            try client.send(Array(message[begin..<min(begin + size, message.count)]))
        }
        #expect(try client.response().text == text)
    }

    @Test("Chunks that arrive together become one piece, however small they are")
    func chunks() throws {
        let (server, _) = try start { exchange in
            var sizes: [Int] = []
            while let piece = try await exchange.nextPiece() { sizes.append(piece.count) }
            let text = Array("\(sizes.count) \(sizes.reduce(0, +))".utf8)
            exchange.writeNow(Script.head(200, text.count) + text)
            exchange.finish(isPersistent: false)
        }
        let client = try RawClient(port: server.port)
        let content = String(repeating: "1\r\nx\r\n", count: 2000)
        try client.send(post + "Transfer-Encoding: chunked\r\n\r\n" + content + "0\r\n\r\n")
        let numbers = try client.response().text.split(separator: " ").compactMap { Int($0) }
        #expect(numbers.last == 2000)
        // 12 kB may arrive in a few segments.
        #expect(numbers[0] <= 20)
    }

    struct Version: Sendable, CustomTestStringConvertible {
        var version: String
        var lines: String
        var isPersistent: Bool
        var testDescription: String { "\(version), \(lines)" }
    }

    @Test(
        "A connection persists as version and Connection say, RFC 9112 §9.3",
        arguments: [
            Version(version: "1.1", lines: "", isPersistent: true),
            Version(version: "1.1", lines: "Connection: close\r\n", isPersistent: false),
            Version(version: "1.1", lines: "Connection: foo, Close\r\n", isPersistent: false),
            Version(version: "1.1", lines: "Connection: keep-alive\r\n", isPersistent: true),
            Version(version: "1.1", lines: "Connection: keep-alive, close\r\n", isPersistent: false),
            Version(version: "1.0", lines: "", isPersistent: false),
            Version(version: "1.0", lines: "Connection: keep-alive\r\n", isPersistent: true),
            Version(
                version: "1.0",
                lines: "Connection: keep-alive\r\nConnection: close\r\n",
                isPersistent: false
            ),
        ]
    )
    func persistence(row: Version) throws {
        let (server, _) = try start()
        let client = try RawClient(port: server.port)
        let request = "GET /a HTTP/\(row.version)\r\nHost: a\r\n\(row.lines)\r\n"
        try client.send(request)
        #expect(try client.response().status == 200)
        guard row.isPersistent else {
            #expect(try client.isAtEnd())
            return
        }
        try client.send(request)
        #expect(try client.response().status == 200)
    }

    // MARK: 100 (Continue)

    @Test("A client that waits gets 100 when the content is read, RFC 9110 §10.1.1")
    func awaited() throws {
        let (server, _) = try start()
        let client = try RawClient(port: server.port)
        try client.send(post + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("hi")
        #expect(try client.response().text == "hi")
    }

    @Test("No 100 precedes a response that does not read the content, and the connection ends")
    func notAwaited() throws {
        let (server, _) = try start { exchange in
            exchange.writeNow(Script.head(417, 0))
            exchange.finish(isPersistent: exchange.hasWholeContent)
        }
        let client = try RawClient(port: server.port)
        try client.send(post + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readToEnd() == Script.head(417, 0))
    }

    @Test("No 100 is sent to HTTP/1.0, RFC 9110 §10.1.1")
    func oldVersion() throws {
        let (server, _) = try start()
        let client = try RawClient(port: server.port)
        try client.send("POST /a HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi")
        #expect(try client.response().text == "hi")
    }

    // MARK: Refusals

    struct Refusal: Sendable, CustomTestStringConvertible {
        var text: String
        var problem: RequestProblem
        var testDescription: String { "\(problem): \(text.prefix(60))" }
    }

    @Test(
        "A refused head results in one response, and nothing after it is read",
        arguments: [
            Refusal(text: "GET / HTTP/1.1\r\n\r\n", problem: .missingHost),
            Refusal(text: "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", problem: .severalHosts),
            Refusal(text: "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", problem: .badHost),
            Refusal(text: "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n", problem: .malformedField),
            Refusal(text: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", problem: .malformedField),
            Refusal(text: "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", problem: .malformedField),
            Refusal(
                text: "\(post)Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                problem: .badLength
            ),
            Refusal(
                text: "\(post)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                problem: .lengthAndCoding
            ),
            Refusal(text: "\(post)Transfer-Encoding: gzip, chunked\r\n\r\n", problem: .unknownCoding),
            Refusal(text: "\(post)Content-Length: 101\r\n\r\n", problem: .contentTooLarge),
            Refusal(text: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", problem: .malformedRequestLine),
            Refusal(text: "GET /\r\nHost: a\r\n\r\n", problem: .malformedRequestLine),
            Refusal(text: "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", problem: .fragmentInTarget),
            Refusal(text: "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", problem: .targetBeyondASCII),
            Refusal(text: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", problem: .unknownVersion),
            Refusal(
                text: "GET /\(String(repeating: "a", count: 60)) HTTP/1.1\r\nHost: a\r\n\r\n",
                problem: .targetTooLong
            ),
            Refusal(
                text: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 500))\r\n\r\n",
                problem: .headTooLarge
            ),
        ]
    )
    func refusal(row: Refusal) throws {
        let (server, script) = try start(Script.echo) { configuration in
            configuration.contentLimitBytes = 100
            configuration.targetLimitBytes = 50
            configuration.headLimitBytes = 400
        }
        let client = try RawClient(port: server.port)
        try client.send(row.text + get)
        #expect(try client.readToEnd() == script.refusal(for: row.problem))
        #expect(script.begun.withLock { $0 } == 0)
    }

    @Test(
        "A problem within the content ends the exchange with it",
        arguments: [
            ("X\r\n", RequestProblem.malformedChunk), ("2\r\nabcd", .malformedChunk),
            ("65\r\n", .contentTooLarge), ("0\r\nX: 1\n\r\n", .malformedField),
        ]
    )
    func contentProblem(content: String, problem: RequestProblem) throws {
        let (server, _) = try start(Script.echo) { $0.contentLimitBytes = 100 }
        let client = try RawClient(port: server.port)
        try client.send(post + "Transfer-Encoding: chunked\r\n\r\n" + content)
        #expect(try client.response().status == problem.status)
        #expect(try client.isAtEnd())
    }

    // MARK: Ends

    @Test("An aborted exchange leaves an incomplete response")
    func aborted() throws {
        let (server, _) = try start { exchange in
            exchange.writeNow(Script.head(200, 10) + Array("half".utf8))
            exchange.abort()
        }
        let client = try RawClient(port: server.port)
        try client.send(get)
        #expect(try client.readToEnd() == Script.head(200, 10) + Array("half".utf8))
    }

    @Test("A large response is sent completely, however slowly it is read")
    func large() throws {
        let piece = [UInt8](repeating: 0x78, count: 64 << 10)
        let (server, _) = try start { exchange in
            try await exchange.write(Script.head(200, 64 * piece.count))
            for _ in 0..<64 { try await exchange.write(piece) }
            exchange.finish(isPersistent: true)
        }
        let client = try RawClient(port: server.port)
        try client.send(get)
        _ = try client.read(through: "\r\n\r\n")
        for _ in 0..<64 { #expect(try client.read(count: piece.count) == piece) }
        try client.send(get)
        #expect(try client.read(through: "\r\n").hasPrefix("HTTP/1.1 200"))
    }

    @Test("An exchange learns that its client has left, whatever it does meanwhile", arguments: Wait.allCases)
    func gone(wait: Wait) async throws {
        let seen = Lock<Set<String>>([])
        let (server, script) = try start { exchange in
            exchange.onGone { _ = seen.withLock { $0.insert("told") } }
            do {
                switch wait {
                case .forContent: while try await exchange.nextPiece() != nil {}
                case .forRoom: while true { try await exchange.write([UInt8](repeating: 0, count: 1 << 20)) }
                }
            } catch {
                _ = seen.withLock { $0.insert("\(error)") }
            }
        }
        let client = try RawClient(port: server.port)
        try client.send(post + "Content-Length: 10\r\n\r\nabc")
        while script.begun.withLock({ $0 }) == 0 { await Task.yield() }
        client.close()
        while seen.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(seen.withLock { $0 } == ["told", "ClientDisconnected()"])
        while server.openConnections > 0 { await Task.yield() }
    }

    enum Wait: Sendable, CaseIterable {
        case forContent, forRoom
    }

    @Test("A stop ends waiting exchanges and idle connections")
    func stop() async throws {
        let isGone = Lock(false)
        let (server, script) = try start { exchange in
            exchange.onGone { isGone.withLock { $0 = true } }
        }
        let (idle, waiting) = (try RawClient(port: server.port), try RawClient(port: server.port))
        try waiting.send(get)
        while script.begun.withLock({ $0 }) == 0 { await Task.yield() }
        server.stop()
        // The handler may only now set what is to be done, which is then done at once.
        while !isGone.withLock({ $0 }) { await Task.yield() }
        #expect(try waiting.isAtEnd())
        #expect(try idle.isAtEnd())
    }
}

/// Answers each request by a function, on a separate thread.
private final class Script: StreamHandler {
    // The pool's threads are busy with tests that wait for answers.
    private let executor = ThreadExecutor()
    let begun = Lock(0)
    private let answer: @Sendable (StreamExchange) async throws -> Void

    init(_ answer: @escaping @Sendable (StreamExchange) async throws -> Void) { self.answer = answer }

    func begin(_ exchange: StreamExchange) {
        begun.withLock { $0 += 1 }
        Task(executorPreference: executor) { [answer] in
            do { try await answer(exchange) } catch { exchange.abort() }
        }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] { Self.head(problem.status, 0) }

    static func head(_ status: Int, _ count: Int) -> [UInt8] {
        Array("HTTP/1.1 \(status) \r\nContent-Length: \(count)\r\n\r\n".utf8)
    }

    /// Answers with the content of the request, or with the status of its problem.
    static let echo: @Sendable (StreamExchange) async throws -> Void = { exchange in
        var content: [UInt8] = []
        do {
            while let piece = try await exchange.nextPiece() { content += piece }
            exchange.writeNow(head(200, content.count) + content)
        } catch {
            exchange.writeNow(head(exchange.contentProblem?.status ?? 500, 0))
        }
        exchange.finish(isPersistent: exchange.hasWholeContent && exchange.request.isPersistent)
    }
}
