import HTTPServing
import Locks
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Messages pass byte for byte", .blocking)
struct PassingTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let response: String
        /// Whether the origin closes after its response.
        var closes = false
    }
    static let rows = [
        Row(testDescription: "length", response: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
        Row(
            testDescription: "no reason, odd case, order, white space and empty values",
            response: "HTTP/1.1 299\r\nx-b:  1 \t\r\nX-A:2\r\nX-B:\r\nx-a: \r\ncontent-LENGTH:0\r\n\r\n"
        ),
        Row(
            testDescription: "continued line, bytes beyond ASCII",
            response: "HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nY: é\r\nContent-Length: 0\r\n\r\n"
        ),
        Row(
            testDescription: "line feeds alone",
            request: "GET / HTTP/1.1\nHost: a\n\n",
            response: "HTTP/1.1 200 OK\nContent-Length: 2\n\nab"
        ),
        Row(
            testDescription: "chunks with extensions and trailers",
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"
                + "003;a=b\r\nabc\r\n1 \r\nd\r\n0;last\r\nX: y\r\nZ:\r\n\r\n"
        ),
        Row(
            testDescription: "interim responses",
            response: "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 102\r\n\r\nHTTP/1.1 200 OK\r\n"
                + "Content-Length: 1\r\n\r\nx"
        ),
        Row(
            testDescription: "HEAD with a length",
            request: "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
        ),
        Row(testDescription: "204", response: "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n"),
        Row(
            testDescription: "304 with a length",
            response: "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\nETag: \"a\"\r\n\r\n"
        ),
        Row(
            testDescription: "range",
            request: "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\n\r\n",
            response:
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-2/9\r\nContent-Length: 2\r\n\r\nbc"
        ),
        Row(
            testDescription: "content until the end of the connection",
            response: "HTTP/1.0 200 OK\r\n\r\nabc",
            closes: true
        ),
        Row(
            testDescription: "Connection: close",
            request: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            response: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
            closes: true
        ),
        Row(
            testDescription: "differing lengths",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            closes: true
        ),
        Row(
            testDescription: "less content than stated",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            closes: true
        ),
        Row(
            testDescription: "a broken chunk",
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n",
            closes: true
        ),
        Row(testDescription: "half a head", response: "HTTP/1.1 200 OK\r\nX: 1", closes: true),
        Row(testDescription: "no HTTP", response: "220 mail.example ESMTP\r\n", closes: true),
        Row(
            testDescription: "request content in chunks with a trailer",
            request:
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0\r\nT: 1\r\n\r\n",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        ),
        Row(
            testDescription: "request content with a length, odd method and field case",
            request: "pAtCh /a?b=%zz&c#d HTTP/1.1\r\nhOST:a\r\ncontent-length: 03\r\n\r\nabc",
            response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        ),
        Row(
            testDescription: "a request line that is none",
            request: "HELO example.org\r\n\r\n",
            response: "250 OK\r\n"
        ),
    ]

    /// Codings that are not understood: content is passed to its end, regardless of Content-Length (RFC 9112 §6.3).
    static let unclear = [
        "Transfer-Encoding: ,", "Transfer-Encoding: chunked foo", "Transfer-Encoding: chun\u{212A}ed",
        "Content-Length: 1 1",
    ].map { field in
        Row(
            testDescription: field,
            response: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\(field)\r\n\r\nabc",
            closes: true
        )
    }

    @Test("A request and its response arrive as they were sent", arguments: rows + unclear)
    func passes(_ row: Row) throws {
        let received = Lock("")
        let stage = try ProxyStage { connection in
            let request = connection.read(count: row.request.utf8.count) ?? ""
            received.withLock { $0 = request }
            connection.send(row.response)
            if !row.closes { connection.waitForClose() }
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send(row.request)
        let count = row.response.utf8.count
        let response = row.closes ? try client.ending(after: count).bytes : try client.read(count: count)
        #expect(String(decoding: response, as: UTF8.self) == row.response)
        #expect(received.withLock { $0 } == row.request)
    }

    @Test("A connection of a client uses one connection to the upstream for all its requests")
    func keepsAlive() throws {
        let stage = try ProxyStage(answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        defer { stage.stop() }
        let client = try stage.client()
        for _ in 0..<3 {
            try client.request("GET", "/")
            #expect(try client.response().text == "a")
        }
        #expect(stage.origin.connections == 1)
    }

    @Test("Requests that are sent ahead are answered in order")
    func pipelines() throws {
        let stage = try ProxyStage { connection in
            while let head = connection.readHead() {
                let path = head.split(separator: " ")[1]
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send((1...5).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 1...5 { #expect(try client.response().text == "/\(number)") }
    }

    @Test(
        "Of requests that are sent ahead 256 await their responses at the upstream, and the others wait for these"
    )
    func sendsAhead() throws {
        let (isFull, mayAnswer) = (Gate(), Gate())
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
        let stage = try ProxyStage(configure: { $0.keepsJournal = true }) { connection in
            var count = 0
            while let head = connection.readHead() {
                count += 1
                guard head.hasPrefix("GET /ahead "), count <= 256 else {
                    connection.send(answer)
                    continue
                }
                guard count == 256 else { continue }
                isFull.open()
                mayAnswer.wait()
                connection.send(String(repeating: answer, count: count))
            }
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send(String(repeating: "GET /ahead HTTP/1.1\r\nHost: a\r\n\r\n", count: 600))
        isFull.wait()
        for _ in 0..<20 {
            let other = try stage.client()
            try other.request("GET", "/")
            #expect(try other.response().text == "a")
        }
        // One has been read that waits.
        #expect(stage.proxy.journal.count <= 256 + 1 + 20)
        mayAnswer.open()
        for _ in 0..<600 { try #require(try client.response().text == "a") }
    }

    @Test("After 101 both directions are a tunnel")
    func upgrades() throws {
        let stage = try ProxyStage("reset@body:1 requests=2..9") { connection in
            _ = connection.readHead()
            connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhi"
            )
            while let byte = connection.read(count: 1) { connection.send(byte) }
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/", ["Upgrade: echo", "Connection: Upgrade"])
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.read(count: 2) == Array("hi".utf8))
        for text in ["GET / HTTP/1.1\r\n\r\n", "\u{0}\u{1}", "HTTP/1.1 200 OK\r\n\r\n"] {
            try client.send(text)
            #expect(try client.read(count: text.utf8.count) == Array(text.utf8))
        }
    }

    @Test("Content of 8 MiB passes in both directions at once")
    func streams() throws {
        let size = 8 << 20
        let stage = try ProxyStage { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            var left = size
            while left > 0, let piece = connection.read(count: 1 << 16) {
                connection.send(piece)
                left -= piece.utf8.count
            }
            connection.waitForClose()
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
        let piece = [UInt8](repeating: 0x61, count: 1 << 16)
        var received = 0
        for _ in 0..<size / piece.count {
            try client.send(piece)
            if received == 0 { _ = try client.read(through: "\r\n\r\n") }
            received += try client.read(count: piece.count).count
        }
        #expect(received == size)
    }

    @Test("A connection that the upstream closes while idle is closed for the client")
    func closesIdle() throws {
        let stage = try ProxyStage { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.response().text == "a")
        #expect(try client.isAtEnd())
    }

    @Test("A reset of the upstream in the middle of content is a reset for the client")
    func resets() throws {
        let stage = try ProxyStage { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            _ = connection.readHead()
            connection.reset()
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\n")
        try client.request("GET", "/next")
        #expect(try client.ending(after: 0) == Ending(bytes: [], isReset: true))
    }

    @Test("An upstream that cannot be reached is a 502 with the cause")
    func unreachable() throws {
        let free = try OwnPort.next()
        let upstream = try #require(Upstream(authority: "127.0.0.1:\(free)"))
        let proxy = FaultProxy(.init(upstream: upstream))
        try proxy.start()
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(
            response.text == "cachecheck proxy: cannot connect to 127.0.0.1:\(free): connection refused\n"
        )
    }

    @Test("Host and X-Forwarded fields change if the configuration requires it")
    func fields() throws {
        let received = Lock("")
        let stage = try ProxyStage(configure: {
            $0.host = .text("b.example")
            $0.addsForwardedFields = true
        }) { connection in
            let head = connection.readHead() ?? ""
            received.withLock { $0 = head }
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("GET / HTTP/1.1\r\nhost:  a.example \r\nX-Forwarded-For: 1.2.3.4\r\nX: y\r\n\r\n")
        #expect(try client.response().status == 204)
        let expected =
            "GET / HTTP/1.1\r\nhost:  b.example \r\nX-Forwarded-For: 1.2.3.4, 127.0.0.1\r\nX: y\r\n"
            + "X-Forwarded-Host: a.example\r\nX-Forwarded-Proto: http\r\n\r\n"
        #expect(received.withLock { $0 } == expected)
    }

    @Test("A proxy whose upstream is itself does not start", arguments: ["127.0.0.1", "localhost"])
    func ownUpstream(host: String) throws {
        let stage = try ProxyStage(answer: "")
        let port = try #require(stage.proxy.port)
        stage.stop()
        var configuration = FaultProxy.Configuration(
            upstream: try #require(Upstream(authority: "\(host):\(port)"))
        )
        configuration.port = port
        let proxy = FaultProxy(configuration)
        #expect(throws: ServerError.ownUpstream("\(host):\(port)")) { try proxy.start() }
    }
}
