import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Clients that are too slow, or too many", .timeLimit(.minutes(20)), .blocking)
struct LimitTests {
    let handler = TestHandler()

    private func awaitNoConnections(_ server: HTTPServer) async {
        while server.openConnections > 0 { await Task.yield() }
    }

    @Test(
        "An incomplete head results in 408, and the connection ends",
        arguments: ["GET /pre", "GET /prepared HTTP/1.1\r\n", "GET /prepared HTTP/1.1\r\nHost: a\r\nX-"]
    )
    func slowHead(head: String) async throws {
        let server = try handler.server { $0.timeLimits.head = .milliseconds(40) }
        let client = try RawClient(port: server.port)
        try client.send(head)
        let answer = try client.response()
        #expect(answer.status == 408)
        #expect(answer["Connection"] == "close")
        // RFC 9110 §6.6.1: in all 4xx responses of an origin server with a clock.
        let date = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z][a-z] 20\d\d \d\d:\d\d:\d\d GMT/
        #expect(try date.wholeMatch(in: answer["Date"] ?? "") != nil)
        #expect(answer.text == "The request was not completed in time.\n")
        #expect(try client.isAtEnd())
        await awaitNoConnections(server)
    }

    @Test("A second request's head has the same time limit as the first's")
    func secondHead() throws {
        let server = try handler.server { $0.timeLimits.head = .milliseconds(40) }
        let client = try RawClient(port: server.port)
        try client.request("GET", "/prepared")
        #expect(try client.response().text == "ready")
        try client.send("GET /prepared HTTP/1.1\r\nHost: a\r\n")
        #expect(try client.response().status == 408)
    }

    @Test(
        "Incomplete content results in 408",
        arguments: ["Content-Length: 10", "chunked"]
    )
    func slowContent(framing: String) async throws {
        let server = try handler.server { $0.timeLimits.content = .milliseconds(40) }
        let client = try RawClient(port: server.port)
        let isChunked = framing == "chunked"
        try client.request("POST", "/raw", [isChunked ? "Transfer-Encoding: chunked" : framing])
        try client.send(isChunked ? "3\r\nabc\r\n" : "abc")
        #expect(try client.response().status == 408)
        #expect(try client.isAtEnd())
        #expect(handler.seen.withLock { $0.isEmpty })
        await awaitNoConnections(server)
    }

    /// Sends a request on a new connection, and returns that with the response; again if a limit of the connection has ended
    /// before the request arrived, which a busy machine can delay.
    private func exchange(_ request: String, _ server: HTTPServer, expecting status: Int = 200) throws -> (
        RawClient, RawResponse
    ) {
        while !Task.isCancelled {
            let client = try RawClient(port: server.port)
            guard (try? client.send(request)) != nil, let response = try? client.response(),
                response.status == status
            else { continue }
            return (client, response)
        }
        throw CancellationError()
    }

    @Test("An idle connection is closed without a response", arguments: [true, false])
    func idle(isUsed: Bool) async throws {
        let server = try handler.server { $0.timeLimits.idle = .milliseconds(40) }
        let request = "GET /prepared HTTP/1.1\r\nHost: a\r\n\r\n"
        let client = isUsed ? try exchange(request, server).0 : try RawClient(port: server.port)
        #expect(try client.isAtEnd())
        await awaitNoConnections(server)
    }

    @Test(
        "The start of a request line on an idle connection results in 408, whichever limit is shorter",
        arguments: [
            HalfLine(before: "nothing", head: 40, idle: 400_000),
            HalfLine(before: "a request", head: 40, idle: 20),
            HalfLine(before: "a request", head: 20, idle: 400_000),
            HalfLine(before: "a chunk", head: 20, idle: 400_000),
        ]
    )
    func halfLine(row: HalfLine) async throws {
        let server = try handler.server { configuration in
            configuration.timeLimits.head = .milliseconds(row.head)
            configuration.timeLimits.idle = .milliseconds(row.idle)
        }
        // In one piece, so that a slow test does not make the connection an idle one.
        let isAlone = row.request.isEmpty
        let (client, first) = try exchange(row.request + "GET /pre", server, expecting: isAlone ? 408 : 200)
        #expect(isAlone || first.text == "raw")
        #expect(try (isAlone ? first : client.response()).status == 408)
        #expect(try client.isAtEnd())
        await awaitNoConnections(server)
    }

    /// Returns a client whose request the server has parked; asks again if the server has closed the connection as idle before
    /// the request arrived.
    private func parked(_ server: HTTPServer) async throws -> RawClient {
        var attempts: UInt64 = 0
        while !Task.isCancelled {
            let client = try RawClient(port: server.port)
            try? client.request("GET", "/park")
            attempts += 1
            while server.acceptedConnections < attempts || server.openConnections > 0 {
                if handler.parked.withLock({ $0 }) > 0 { return client }
                await Task.yield()
            }
        }
        throw CancellationError()
    }

    @Test("Time limits do not apply while the server delays: a parked response outlasts every limit")
    func waiting() async throws {
        let server = try handler.server { configuration in
            let short = Duration.milliseconds(20)
            (configuration.timeLimits.head, configuration.timeLimits.content) = (short, short)
            configuration.timeLimits.idle = short
        }
        let parked = try await parked(server)
        // When these have ended one after another, the time of the parked one would have passed, too.
        for _ in 0..<3 { #expect(try RawClient(port: server.port).isAtEnd()) }
        handler.hold.release()
        #expect(try parked.response().text == "raw")
    }

    @Test("A connection beyond the limit results in 503, and another is accepted when one ends")
    func connections() async throws {
        let server = try handler.server { $0.connectionLimit = 2 }
        let clients = try (0..<2).map { _ in
            let client = try RawClient(port: server.port)
            try client.request("GET", "/prepared")
            _ = try client.response()
            return client
        }
        let third = try RawClient(port: server.port)
        try third.request("GET", "/prepared")
        let answer = try third.response()
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] == "1")
        #expect(try third.isAtEnd())
        third.close()
        try clients[0].request("GET", "/raw")
        #expect(try clients[0].response().text == "raw")
        clients[1].close()
        while server.openConnections > 1 { await Task.yield() }
        let fourth = try RawClient(port: server.port)
        try fourth.request("GET", "/prepared")
        #expect(try fourth.response().text == "ready")
    }

    @Test("Connections that responses close are no longer counted")
    func closed() async throws {
        let server = try handler.server { $0.connectionLimit = 2 }
        for _ in 0..<5 {
            let client = try RawClient(port: server.port)
            try client.request("GET", "/raw", ["Connection: close"])
            #expect(try client.response().status == 200)
            client.close()
            await awaitNoConnections(server)
        }
    }
}

/// The time at which the start of a request line is sent.
struct HalfLine: CustomTestStringConvertible, Sendable {
    let before: String
    /// Milliseconds.
    let head: Int
    let idle: Int

    /// The request before the line.
    var request: String {
        let post = "POST /raw HTTP/1.1\r\nHost: a\r\n"
        return switch before {
        case "a request": post + "Content-Length: 7\r\n\r\ncontent"
        case "a chunk": post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        default: ""
        }
    }

    var testDescription: String { "after \(before), head \(head) ms, idle \(idle) ms" }
}
