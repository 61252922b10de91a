import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("The HTTP server over real sockets", .timeLimit(.minutes(20)), .blocking)
struct HTTPServerTests {
    let handler = TestHandler()

    @Test("Prepared and raw replies share one connection in any order")
    func keepAlive() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        let bodies = try ["/prepared", "/raw", "/raw", "/prepared", "/raw"].map { target in
            try client.request("GET", target)
            return try client.response().text
        }
        #expect(bodies == ["ready", "raw", "raw", "ready", "raw"])
        #expect(server.acceptedConnections == 1)
        #expect(handler.seen.withLock { $0.map(\.requestsBefore) } == [1, 2, 4])
        #expect(handler.seen.withLock { $0.map(\.peerPort) } == [client.port, client.port, client.port])
    }

    @Test("After an upload in one piece or with a length the connection stays open for raw replies")
    func keepAliveAfterUpload() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        for lines in [
            "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "X:  1 \r\n\r\n",
        ] {
            try client.send("POST /raw HTTP/1.1\r\nHost: a\r\n\(lines)")
            #expect(try client.response().text == "raw")
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test("A request keeps its target, its field lines in order and its content unchanged")
    func request() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.request(
            "PROPFIND",
            "/a%20b?x=%zz",
            ["X-B: 2", "x-a: 1", "X-B: 3", "Empty:"],
            body: "hello"
        )
        _ = try client.response()
        let request = try #require(handler.seen.withLock { $0.first })
        #expect(request.method == "PROPFIND")
        #expect(request.target == "/a%20b?x=%zz")
        #expect(request.fields.map(\.name) == ["Host", "X-B", "x-a", "X-B", "Empty", "Content-Length"])
        #expect(request.fields.map(\.value) == ["localhost", "2", "1", "3", "", "5"])
        #expect(request.body == Array("hello".utf8))
    }

    @Test("A field value that is not UTF-8 is decoded as ISO-8859-1")
    func oldFieldValue() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(Array("GET /a HTTP/1.1\r\nHost: a\r\nX: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8))
        _ = try client.response()
        #expect(handler.seen.withLock { $0.first?.fields.last?.value } == "café")
    }

    @Test("A chunked request's content arrives without its chunks")
    func chunkedRequest() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.request("POST", "/a", ["Transfer-Encoding: chunked"])
        try client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        _ = try client.response()
        #expect(handler.seen.withLock { $0.first?.body } == Array("abcde".utf8))
    }

    @Test(
        "An ambiguous request is refused and its connection closed",
        arguments: [
            ("Host: a\r\nHost: b", "400 severalHosts"), ("X: 1", "400 missingHost"),
            ("Host: a\r\nX Y: 1", "400 malformedField"), ("Host : a", "400 malformedField"),
            ("Host: a\r\nContent-Length: 3\r\nContent-Length: 4", "400 badLength"),
            ("Host: a\r\nContent-Length: 3, 4", "400 badLength"),
            ("Host: a\r\nContent-Length: 0x3", "400 badLength"),
            ("Host: a\r\nContent-Length: 99999999999999999999", "400 badLength"),
            ("Host: a\r\nX: 1\r\n 2", "400 malformedField"),
            ("Host: a\r\nX: 1\n2: 3", "400 malformedField"),
            ("Host: a\r\nX: 1\r2", "400 malformedField"),
            ("Host: a\r\nX: 1\u{0}2", "400 malformedField"),
            ("Host: a\r\n\u{0}: 1", "400 malformedField"),
            ("Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked", "400 lengthAndCoding"),
            ("Host: a\r\nTransfer-Encoding: gzip, chunked", "501 unknownCoding"),
            ("Host: a\r\nContent-Length: 16777217", "413 contentTooLarge"),
        ]
    )
    func refusals(lines: String, expected: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("POST /a HTTP/1.1\r\n\(lines)\r\n\r\n")
        let head = "HTTP/1.1 \(expected)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(try String(decoding: client.readToEnd(), as: UTF8.self) == head)
        #expect(handler.seen.withLock { $0.isEmpty })
    }

    @Test("Equal Content-Length lines are one length")
    func equalLengths() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try client.response().status == 200)
    }

    @Test("HTTP/1.0 needs no Host and ends its connection")
    func oldVersion() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        #expect(try String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nraw"))
    }

    @Test("Chunked content beyond the limit results in 413, however much is still sent")
    func contentLimit() throws {
        let server = try handler.server { $0.contentLimitBytes = 100_000 }
        let client = try RawClient(port: server.port)
        try client.request("POST", "/a", ["Transfer-Encoding: chunked"])
        for _ in 0..<40 { try client.send("2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n") }
        #expect(try client.response().status == 413)
    }

    @Test("A head beyond the limit results in 431, a long target in 414")
    func headLimit() throws {
        let server = try handler.server()
        let long = try RawClient(port: server.port)
        try long.request("GET", "/a", ["X: " + String(repeating: "x", count: 20_000)])
        #expect(try long.response().status == 431)
        let target = try RawClient(port: server.port)
        try target.request("GET", "/" + String(repeating: "x", count: 5000))
        #expect(try target.response().status == 414)
    }

    @Test("A reply larger than the socket's buffer is written as the client reads")
    func largeReply() throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/large")
        #expect(try client.readToEnd().count == 8 << 20)
    }

    @Test("Five hundred waiting exchanges block no thread")
    func manyParked() throws {
        let server = try handler.server()
        let waiting = try (0..<500).map { _ in
            let client = try RawClient(port: server.port)
            try client.request("GET", "/park")
            return client
        }
        let other = try RawClient(port: server.port)
        try other.request("GET", "/prepared")
        #expect(try other.response().text == "ready")
        try other.request("GET", "/raw")
        #expect(try other.response().text == "raw")
        handler.hold.release()
        for client in waiting { #expect(try client.response().text == "raw") }
    }

    @Test("Stopping closes waiting exchanges and idle connections")
    func stopParked() throws {
        let server = try handler.server()
        let idle = try RawClient(port: server.port)
        try idle.request("GET", "/prepared")
        _ = try idle.response()
        let waiting = try (0..<20).map { _ in
            let client = try RawClient(port: server.port)
            try client.request("GET", "/prepared")
            _ = try client.response()
            try client.request("GET", "/park")
            return client
        }
        server.stop()
        for client in waiting { #expect(try client.readToEnd().isEmpty) }
        #expect(try idle.isAtEnd())
        #expect(handler.ends.withLock { $0.allSatisfy { $0 == .stopped } })
    }

    @Test("A port in use is an error that names it")
    func portInUse() throws {
        let server = try handler.server()
        let port = try #require(server.port)
        #expect(throws: ServerError.portInUse(address: "127.0.0.1", port: port)) {
            _ = try handler.server { $0.port = port }
        }
    }

    @Test("A number that no port has is an error", arguments: [-1, 65_536])
    func badPort(number: Int) {
        #expect(throws: ServerError.badPort(number)) { _ = try handler.server { $0.port = number } }
    }

    @Test("A server has no port before it starts")
    func noPort() {
        #expect(HTTPServer(HTTPServer.Configuration(), handler: handler).port == nil)
    }

    @Test("An invalid address is an error")
    func badAddress() {
        #expect(throws: ServerError.badAddress("localhost:1")) {
            _ = try handler.server { $0.address = "localhost:1" }
        }
    }

    @Test("During an outage connections are refused and the port stays reserved; afterwards it is the same")
    func outage() throws {
        let server = try handler.server()
        let port = try #require(server.port)
        try server.stopListening()
        // ECONNREFUSED
        #expect {
            _ = try RawClient(port: port)
        } throws: { error in
            (error as? RawClient.Failure)?.code == 111
        }
        #expect(throws: ServerError.portInUse(address: "127.0.0.1", port: port)) {
            _ = try handler.server { $0.port = port }
        }
        try server.startListening()
        let client = try RawClient(port: port)
        try client.request("GET", "/raw")
        #expect(try client.response().text == "raw")
    }
}
