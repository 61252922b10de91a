import Clocks
import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Connections and content that a handler paces", .timeLimit(.minutes(20)), .blocking)
struct RequestReadingTests {
    private func start(_ handler: PacingHandler) throws -> HTTPServer {
        let server = HTTPServer(HTTPServer.Configuration(), handler: handler)
        try server.start()
        return server
    }

    // MARK: Stops

    @Test("Reading is paused at an offset until a hold is released", arguments: [0, 1, 3])
    func hold(offset: Int) async throws {
        let hold = Hold()
        let handler = PacingHandler(stops: [.init(after: offset, .hold(hold))])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("POST", "/", body: "abcdef")
        let pause = await handler.pause(1)
        #expect(pause.peerPort == client.port)
        #expect(!pause.isFinished)
        #expect(handler.bodies.withLock { $0.isEmpty })
        hold.release()
        #expect(try client.response().text == "read")
        #expect(handler.bodies.withLock { $0 } == ["abcdef"])
        #expect(pause.isFinished)
        #expect(handler.resumed.withLock { $0 } == 1)
    }

    @Test("Reading is paused for a time on the handler's clock, at each offset")
    func waits() async throws {
        let handler = PacingHandler(stops: [
            .init(after: 1, .wait(.seconds(5))), .init(after: 4, .wait(.seconds(7))),
        ])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("POST", "/", body: "abcdef")
        _ = await handler.pause(1)
        handler.clock.advance(by: .seconds(5))
        _ = await handler.pause(2)
        #expect(handler.bodies.withLock { $0.isEmpty })
        handler.clock.advance(by: .seconds(7))
        #expect(try client.response().text == "read")
        #expect(handler.bodies.withLock { $0 } == ["abcdef"])
    }

    @Test("A pause that is ended early lets reading continue")
    func resumed() async throws {
        let handler = PacingHandler(stops: [.init(after: 2, .wait(.seconds(5)))])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("POST", "/", body: "abcdef")
        await handler.pause(1).resume()
        #expect(try client.response().text == "read")
    }

    @Test("Bytes are sent before the request is complete")
    func early() throws {
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let handler = PacingHandler(stops: [.init(after: 3, .write(Array(hint.utf8)))])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
        #expect(try client.read(through: "\r\n\r\n") == hint)
        try client.send("def")
        #expect(try client.response().text == "read")
        #expect(handler.bodies.withLock { $0 } == ["abcdef"])
    }

    @Test(
        "A request is answered before its content has arrived, and no other handler sees it",
        arguments: [0, 2]
    )
    func answered(offset: Int) throws {
        let answer = Array("HTTP/1.1 413 \r\nContent-Length: 0\r\n\r\n".utf8)
        let reply = RawReply(
            [.write(answer[...])],
            ending: .drainAndClose,
            clock: VirtualClock(wallSeconds: 0)
        )
        let handler = PacingHandler(stops: [.init(after: offset, .answer(reply))])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
        #expect(try client.response().status == 413)
        #expect(try client.isAtEnd())
        #expect(handler.bodies.withLock { $0.isEmpty })
    }

    @Test("A request that follows one with stops is answered, or the connection ends, RFC 9112 §9.3.2")
    func pipelined() throws {
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let handler = PacingHandler(stops: [.init(after: 3, .write(Array(hint.utf8)))])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabcdef"
        try client.send(request + request)
        let text = try String(decoding: client.readToEnd(), as: UTF8.self)
        #expect(text == hint + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nread")
        #expect(handler.bodies.withLock { $0 } == ["abcdef"])
    }

    @Test("A stop of the server ends a pause")
    func stopped() async throws {
        let handler = PacingHandler(stops: [.init(after: 2, .hold(Hold()))])
        let server = try start(handler)
        let client = try RawClient(port: server.port)
        try client.request("POST", "/", body: "abcdef")
        let pause = await handler.pause(1)
        server.stop()
        #expect(pause.isFinished)
    }

    // MARK: Greetings

    @Test("A greeting precedes the first request, and the connection continues")
    func greeting() throws {
        let handler = PacingHandler(greeting: [.write(Array("hello".utf8)[...])])
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(try client.read(count: 5) == Array("hello".utf8))
        for _ in 0..<2 {
            try client.request("POST", "/", body: "a")
            #expect(try client.response().text == "read")
        }
    }

    @Test("A greeting can be held, while other connections are served by the same threads")
    func heldGreeting() throws {
        let hold = Hold()
        let handler = PacingHandler(greeting: [.hold(hold)])
        let server = try start(handler)
        defer { server.stop() }
        let clients = try (0..<10).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.request("POST", "/", body: "a") }
        #expect(handler.bodies.withLock { $0.isEmpty })
        hold.release()
        for client in clients { #expect(try client.response().text == "read") }
    }

    @Test("A greeting can end the connection", arguments: [RawReply.Ending.close, .drainAndClose])
    func lastGreeting(ending: RawReply.Ending) throws {
        let handler = PacingHandler(greeting: [.write(Array("bye".utf8)[...])], ending)
        let server = try start(handler)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(try client.readToEnd() == Array("bye".utf8))
        #expect(handler.bodies.withLock { $0.isEmpty })
    }

    // MARK: Limits

    struct Limit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var status: Int

        init(_ name: String, _ request: String, _ status: Int) {
            (testDescription, self.request, self.status) = (name, request, status)
        }
    }

    @Test(
        "A limit includes its own size: 414 and 413 begin one byte later (RFC 9110 §15.5.14, §15.5.15)",
        arguments: [
            Limit(
                "a target of 20 bytes",
                "GET /\(String(repeating: "a", count: 19)) HTTP/1.1\r\nHost: a\r\n\r\n",
                200
            ),
            Limit(
                "a target of 21 bytes",
                "GET /\(String(repeating: "a", count: 20)) HTTP/1.1\r\nHost: a\r\n\r\n",
                414
            ),
            Limit(
                "content of 100 bytes",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n"
                    + String(repeating: "a", count: 100),
                200
            ),
            Limit("content of 101 bytes", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413),
            Limit(
                "100 bytes in chunks",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n"
                    + String(repeating: "a", count: 100) + "\r\n0\r\n\r\n",
                200
            ),
            Limit(
                "101 bytes in chunks",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n"
                    + String(repeating: "a", count: 101) + "\r\n0\r\n\r\n",
                413
            ),
        ]
    )
    func limits(row: Limit) throws {
        let handler = TestHandler()
        let server = try handler.server { configuration in
            (configuration.targetLimitBytes, configuration.contentLimitBytes) = (20, 100)
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send(row.request)
        #expect(try client.response().status == row.status)
        #expect(handler.seen.withLock { $0.count } == (row.status == 200 ? 1 : 0))
    }

    @Test("Connections are numbered in the order of acceptance, from a number that is given")
    func numbers() throws {
        let handler = TestHandler()
        let server = try handler.server { $0.connectionsBefore = 1 << 32 }
        defer { server.stop() }
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                try client.request("GET", "/raw")
                _ = try client.response()
            }
        }
        let first: UInt64 = 1 << 32 + 1
        let numbers = handler.seen.withLock { $0.map(\.connection) }
        #expect(numbers == [first, first, first + 1, first + 1, first + 2, first + 2])
        #expect(handler.seen.withLock { $0.map(\.requestsBefore) } == [0, 1, 0, 1, 0, 1])
    }
}

/// Paces requests and greets connections as it is told, and records contents and pauses.
private final class PacingHandler: RequestHandler, ReadingObserver {
    let clock = VirtualClock(wallSeconds: 0)
    let bodies = Lock<[String]>([])
    let pauses = Lock<[ReadingPause]>([])
    let resumed = Lock(0)
    private let stops: [RequestReading.Stop]
    private let greeting: [RawReply.Step]
    private let ending: RawReply.Ending

    init(
        stops: [RequestReading.Stop] = [],
        greeting: [RawReply.Step] = [],
        _ ending: RawReply.Ending = .keepAlive
    ) {
        (self.stops, self.greeting, self.ending) = (stops, greeting, ending)
    }

    /// Waits for a pause by its number, from 1.
    func pause(_ number: Int) async -> ReadingPause {
        while true {
            if let pause = pauses.withLock({ $0.dropFirst(number - 1).first }) { return pause }
            await Task.yield()
        }
    }

    func reading(of request: ServedRequest) -> RequestReading? {
        stops.isEmpty ? nil : RequestReading(stops: stops, clock: clock, observer: self)
    }

    func readingPaused(_ pause: ReadingPause) { pauses.withLock { $0.append(pause) } }

    func readingResumed(_ pause: ReadingPause) { resumed.withLock { $0 += 1 } }

    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting {
        guard !greeting.isEmpty else { return Greeting() }
        return Greeting(ofConnection: RawReply(greeting, ending: ending, clock: clock))
    }

    func preparedResponse(for head: RequestHead) -> PreparedResponse? { nil }

    func reply(to request: ServedRequest) -> RawReply {
        bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nread".utf8)
        return RawReply([.write(bytes[...])], ending: .keepAlive, clock: clock)
    }

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        let text = "HTTP/1.1 \(problem.status) \r\nContent-Length: 0\r\n\r\n"
        return RawReply([.write(Array(text.utf8)[...])], ending: .drainAndClose, clock: clock)
    }
}
