import HTTPServing
import Locks
import Testing
import TestSupport

@Suite(
    "Reading requests and sending prepared responses, RFC 9112 §2.2, §9.3.2",
    .timeLimit(.minutes(20)),
    .blocking
)
struct RequestFrontTests {
    let handler = TestHandler()

    @Test(
        "A response has the same bytes on a new connection and after a raw reply",
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
        "Prepared responses and raw replies alternate on a connection"
    )
    func comesBack() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for target in ["/other", "/prepared", "/raw", "/other", "/chunked"] {
            try client.request("GET", target)
            #expect(try client.response().text == (target == "/other" || target == "/raw" ? "raw" : "ready"))
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

    @Test(
        "Pipelined requests with large heads are answered without a wait for more bytes, RFC 9112 §9.3.2",
        arguments: [100, 2_000, 4_000, 6_000, 8_200, 12_000]
    )
    func largeHeads(size: Int) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        let request = "GET /prepared HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: size))\r\n\r\n"
        try client.send(String(repeating: request, count: 20))
        for _ in 1...20 { #expect(try client.response().text == "ready") }
    }

    @Test(
        "Pipelined requests are answered in order, whatever answers them, RFC 9112 §9.3.2",
        arguments: [
            ["GET /raw", "GET /prepared", "GET /raw", "GET /raw", "GET /chunked"],
            ["GET /park", "GET /raw", "GET /prepared"],
            ["POST /length", "GET /raw", "POST /coded", "GET /prepared", "POST /length"],
            ["POST /large-content", "GET /raw"],
        ]
    )
    func pipelined(requests: [String]) async throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        let content = [
            "POST /length": "Content-Length: 5\r\n\r\nGET /",
            "POST /coded": "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX: 1\r\n\r\n",
            "POST /large-content": "Content-Length: 100000\r\n\r\n" + String(repeating: "x", count: 100_000),
        ]
        try client.send(
            requests.map { "\($0) HTTP/1.1\r\nHost: a\r\n\(content[$0] ?? "\r\n")" }.joined()
        )
        if requests.contains("GET /park") {
            while handler.parked.withLock({ $0 }) == 0 { await Task.yield() }
            handler.hold.release()
        }
        for request in requests {
            let isPrepared = ["GET /prepared", "GET /chunked"].contains(request)
            #expect(try client.response().text == (isPrepared ? "ready" : "raw"))
        }
        #expect(handler.seen.withLock { $0.allSatisfy { !$0.endsConnection } })
        #expect(server.acceptedConnections == 1)
    }

    @Test(
        "A request line or head that is malformed is refused once, and nothing after it is read",
        arguments: [
            ("GET /raw HTTP/1.1\nHost: a\n\n", "400 malformedRequestLine"),
            ("GET /raw\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", "400 malformedRequestLine"),
            ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "400 malformedRequestLine"),
            ("GET /raw HTTP/2.0\r\nHost: a\r\n\r\n", "505 unknownVersion"),
            ("GET /raw http/1.1\r\nHost: a\r\n\r\n", "400 malformedRequestLine"),
            ("GET /raw\r\n\r\n", "400 malformedRequestLine"),
            ("GET /ü HTTP/1.1\r\nHost: a\r\n\r\n", "400 targetBeyondASCII"),
            ("GET /raw#a HTTP/1.1\r\nHost: a\r\n\r\n", "400 fragmentInTarget"),
            ("GET /raw HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n", "400 malformedField"),
            ("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "501 unknownCoding"),
        ]
    )
    func malformedHead(head: String, expected: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(head + "GET /prepared HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = "HTTP/1.1 \(expected)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(try String(decoding: client.readToEnd(), as: UTF8.self) == answer)
        #expect(handler.seen.withLock { $0.isEmpty })
    }

    @Test(
        "Malformed or unlimited framing of content is refused with a 4xx, RFC 9112 §7.1",
        arguments: [
            ("2;a=" + String(repeating: "b", count: 5000) + "\r\nhi\r\n0\r\n\r\n", "400 malformedChunk"),
            ("2;a=" + String(repeating: "b", count: 20_000) + "\r\nhi\r\n0\r\n\r\n", "400 malformedChunk"),
            ("x\r\n", "400 malformedChunk"), ("2\r\nhiX\r\n0\r\n\r\n", "400 malformedChunk"),
            ("2\nhi\r\n0\r\n\r\n", "400 malformedChunk"), ("-1\r\n", "400 malformedChunk"),
            ("ffffffffffffffff\r\n", "413 contentTooLarge"), ("10000000000000005\r\n", "413 contentTooLarge"),
            ("0\r\nX\n\r\n", "400 malformedField"),
        ]
    )
    func malformedChunks(content: String, expected: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + content)
        #expect(try client.response().statusLine == "HTTP/1.1 \(expected)")
        #expect(handler.seen.withLock { $0.isEmpty })
    }

    @Test(
        "A 100 (Continue) is sent to a client that waits for it, and only to that, RFC 9110 §10.1.1",
        arguments: [
            ("HTTP/1.1\r\nExpect: 100-continue", "", "HTTP/1.1 100 Continue"),
            ("HTTP/1.1\r\nExpect: 100-continue", "x", "HTTP/1.1 200 OK"),
            ("HTTP/1.0\r\nExpect: 100-continue", "", "HTTP/1.1 200 OK"),
            ("HTTP/1.1", "", "HTTP/1.1 200 OK"),
        ]
    )
    func expectation(start: String, content: String, expected: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("POST /a \(start)\r\nHost: a\r\nContent-Length: 2\r\n\r\n\(content)")
        if expected.contains("100") {
            #expect(try client.read(through: "\r\n\r\n") == expected + "\r\n\r\n")
        }
        try client.send(String("xy".dropFirst(content.count)))
        #expect(try client.response().statusLine == "HTTP/1.1 200 OK")
        #expect(handler.seen.withLock { $0.map(\.body) } == [Array("xy".utf8)])
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

    @Test(
        "A client that disconnects is removed, whatever it has sent",
        arguments: [
            "", "GET /prepared HTTP/1.1\r\nHost: a\r\n\r\n", "GET /prepared HTTP/1.1\r\nHost",
            "POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx",
            "POST /raw HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2",
        ]
    )
    func gone(sent: String) async throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(sent)
        client.close()
        while server.acceptedConnections < 1 || server.openConnections > 0 { await Task.yield() }
        #expect(handler.seen.withLock { $0.isEmpty })
    }

    @Test(
        "A client that sends nothing more gets its responses, then the end, without a reset",
        arguments: [("/prepared", "ready"), ("/raw", "raw"), ("/incomplete", "")]
    )
    func halfClosed(target: String, body: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        let head = "GET \(target) HTTP/1.1\r\nHost: a\r\n"
        try client.send(target == "/incomplete" ? head : head + "\r\n")
        client.endSending()
        #expect(try String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix(body))
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
