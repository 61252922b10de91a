import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Prepared responses in front of libmicrohttpd", .timeLimit(.minutes(5)))
struct PreparedFrontTests {
    let handler = TestHandler()

    @Test(
        "A response has the same bytes on a new connection and on one of libmicrohttpd's",
        arguments: [
            ("/prepared", "Content-Length: 5\r\n\r\nready"),
            ("/chunked", "Transfer-Encoding: chunked\r\n\r\n5\r\nready\r\n0\r\n\r\n"),
            ("/empty", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ]
    )
    func sameBytes(target: String, end: String) throws {
        let server = try handler.server()
        let expected = "HTTP/1.1 200 OK\r\nX-Kind: prepared\r\n" + end
        let (new, other) = try (RawClient(port: server.port), RawClient(port: server.port))
        try other.request("GET", "/raw")
        _ = try other.response()
        for client in [new, other, new, other] {
            try client.request("GET", target)
            #expect(try client.read(count: expected.utf8.count) == Array(expected.utf8))
        }
        #expect(server.acceptedConnections == 2)
    }

    @Test(
        "The last request of a connection gets no prepared response, because its response must announce the end",
        arguments: [
            "GET /prepared HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET /prepared HTTP/1.0\r\n\r\n",
        ]
    )
    func last(request: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(request)
        let answer = try String(decoding: client.readToEnd(), as: UTF8.self)
        #expect(answer.hasSuffix("\r\n\r\nraw"))
        #expect(handler.seen.withLock { $0.map(\.target) } == ["/prepared"])
    }

    @Test(
        "A connection returns to the front if a raw reply precedes a likely prepared response"
    )
    func comesBack() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for target in ["/leads", "/prepared", "/raw", "/leads", "/chunked"] {
            try client.request("GET", target)
            #expect(try client.response().text == (target == "/leads" || target == "/raw" ? "raw" : "ready"))
        }
        #expect(server.acceptedConnections == 1)
        #expect(handler.seen.withLock { $0.map(\.requestsBefore) } == [0, 2, 3])
    }

    @Test(
        "A cut-off prepared response is reported with the number of completely answered requests"
    )
    func cut() async throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for target in ["/chunked", "/much"] { try client.request("GET", target) }
        _ = try client.response()
        client.close()
        while server.openConnections > 0 { await Task.yield() }
        #expect(handler.cut.withLock { $0 } == [1])
    }

    @Test(
        "Content of a request for a prepared response is read, not parsed as the next request",
        arguments: [
            "Content-Length: 27\r\n\r\nGET /prepared HTTP/1.1\r\n\r\n!",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nGET\r\n0\r\n\r\n",
        ]
    )
    func content(lines: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("GET /prepared HTTP/1.1\r\nHost: a\r\n\(lines)")
        #expect(try client.response().text == "raw")
        #expect(handler.seen.withLock { $0.map(\.target) } == ["/prepared"])
    }

    @Test("Pipelined requests are answered in order, and bytes after them are not lost")
    func ahead() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        let one = "GET /chunked HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.send(one + one + one.replacing("chunked", with: "prepared") + "GET /raw HTTP/1.1\r\nHo")
        for _ in 1...3 { #expect(try client.response().text == "ready") }
        try client.send("st: a\r\n\r\n")
        #expect(try client.response().text == "raw")
        #expect(handler.seen.withLock { $0.map(\.requestsBefore) } == [3])
        #expect(handler.seen.withLock { $0.map(\.endsConnection) } == [false])
        #expect(server.acceptedConnections == 1)
    }

    @Test("Heads that arrive in pieces, differ only in a value or follow an empty line are parsed separately")
    func heads() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for head in [
            "GET /prepared HTTP/1.1\r\nHost: a\r\n\r\n", "GET /prepared HTTP/1.1\r\nHost: b\r\n\r\n",
            "GET /prepared HTTP/1.1\r\nHost:b\r\n\r\n", "\r\nGET /prepared HTTP/1.1\r\nHost: b\r\n\r\n",
        ] {
            try client.send(head)
            #expect(try client.response().text == "ready")
        }
        let slow = try RawClient(port: server.port)
        for piece in ["GET /pre", "pared HTTP/1.1\r\nHo", "st: a\r\n", "\r\n"] { try slow.send(piece) }
        #expect(try slow.response().text == "ready")
    }

    @Test(
        "A malformed head is refused as on any connection",
        arguments: [
            ("GET /prepared HTTP/1.1\r\nX: 1\r\n\r\n", "400 missingHost"),
            ("GET /prepared HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400 severalHosts"),
            ("GET /prepared HTTP/1.1\r\nHost : a\r\n\r\n", "400 malformedField"),
        ]
    )
    func malformed(head: String, expected: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(head)
        #expect(try client.response().statusLine == "HTTP/1.1 \(expected)")
    }

    @Test(
        "A response that the socket does not accept at once is written completely, and the connection continues"
    )
    func large() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for target in ["/much", "/much", "/chunked"] { try client.request("GET", target) }
        #expect(try client.response().body.count == 8 << 20)
        #expect(try client.response().body.count == 8 << 20)
        #expect(try client.response().text == "ready")
    }

    @Test("A client that disconnects is removed, with or without a request")
    func gone() async throws {
        let server = try handler.server()
        for asks in [true, false] {
            let client = try RawClient(port: server.port)
            if asks {
                try client.request("GET", "/prepared")
                _ = try client.response()
            }
            client.close()
        }
        while server.acceptedConnections < 2 || server.openConnections > 0 { await Task.yield() }
    }

    @Test("A stop and an outage close connections that used only prepared responses")
    func ends() throws {
        let server = try handler.server()
        let clients = try (RawClient(port: server.port), RawClient(port: server.port))
        try clients.0.request("GET", "/prepared")
        _ = try clients.0.response()
        try server.stopListening()
        #expect(try clients.0.isAtEnd())
        try server.startListening()
        let later = try RawClient(port: server.port)
        try later.request("GET", "/prepared")
        _ = try later.response()
        server.stop()
        #expect(try later.isAtEnd())
    }
}
