import Testing

@testable import HTTPServing

@Suite("Heads of requests, RFC 9112 §2 and §3")
struct HeadReaderTests {
    private static let limits: StreamServer.Configuration = {
        var limits = StreamServer.Configuration()
        limits.targetLimitBytes = 10
        limits.headLimitBytes = 100
        limits.contentLimitBytes = 1000
        return limits
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var problem: RequestProblem?

        init(_ name: String, _ text: String, _ problem: RequestProblem?) {
            (testDescription, self.text, self.problem) = (name, text, problem)
        }
    }

    private func read(_ text: String, with reader: inout HeadReader) -> HeadReader.Outcome {
        Array(text.utf8).withUnsafeBufferPointer { reader.read($0, limits: Self.limits) }
    }

    private func read(_ text: String) -> HeadReader.Outcome {
        var reader = HeadReader()
        return read(text, with: &reader)
    }

    @Test(
        "A complete head is accepted, or refused for its first problem",
        arguments: [
            Row("a minimal request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row(
                "an empty line before the request line, RFC 9112 §2.2",
                "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                nil
            ),
            Row("HTTP/1.0 without Host, §3.2", "GET / HTTP/1.0\r\n\r\n", nil),
            Row("a higher minor version, RFC 9110 §2.5", "GET / HTTP/1.9\r\nHost: a\r\n\r\n", nil),
            Row("an unknown method", "FETCH+IT / HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row("the asterisk form, RFC 9112 §3.2.4", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row("the absolute form, RFC 9112 §3.2.2", "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row("a user of another scheme", "GET x://u@a HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row("the authority form, RFC 9112 §3.2.3", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row("a path with an at sign", "GET //u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            Row(
                "a URL without a host, RFC 9110 §4.2.1",
                "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n",
                .badAuthority
            ),
            Row(
                "a URL without an authority, RFC 9110 §4.2.1",
                "GET HTTPS:/x HTTP/1.1\r\nHost: a\r\n\r\n",
                .badAuthority
            ),
            Row(
                "the authority form with a host named http",
                "CONNECT http:443 HTTP/1.1\r\nHost: a\r\n\r\n",
                nil
            ),
            Row(
                "a URL with a port and no host, RFC 9110 §4.2.1",
                "GET http://:80/ HTTP/1.1\r\nHost: a\r\n\r\n",
                .badAuthority
            ),
            Row(
                "a URL with user information, RFC 9110 §4.2.4",
                "GET http://u@a HTTP/1.1\r\nHost: a\r\n\r\n",
                .badAuthority
            ),
            Row("a value without white space before it, §5", "GET / HTTP/1.1\r\nHost:a\r\n\r\n", nil),
            Row("an empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n", nil),
            Row(
                "bytes beyond ASCII in a value, RFC 9110 §5.5",
                "GET / HTTP/1.1\r\nHost: a\r\nX: é\r\n\r\n",
                nil
            ),
            Row(
                "a target that is longer than the head may be, §3",
                "GET /" + String(repeating: "a", count: 200),
                .targetTooLong
            ),
            Row(
                "fields that are longer than the head may be",
                "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 200),
                .headTooLarge
            ),
            Row("two empty lines", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("no version", "GET /\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("two spaces, §3", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("white space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("a tab in the target", "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("DEL in the target", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("an empty method", " / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("a method that is no token", "G@T / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row(
                "a version in lower case, RFC 9112 §2.3",
                "GET / http/1.1\r\nHost: a\r\n\r\n",
                .malformedRequestLine
            ),
            Row("a minor version of two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("a version without a minor one", "GET / HTTP/1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("a bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", .malformedRequestLine),
            Row("a fragment", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", .fragmentInTarget),
            Row("a target beyond ASCII", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", .targetBeyondASCII),
            Row("HTTP/2", "PRI * HTTP/2.0\r\nHost: a\r\n\r\n", .unknownVersion),
            Row("HTTP/0.9 with a version", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", .unknownVersion),
            Row("a bare LF after a field line", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", .malformedField),
            Row(
                "a bare CR in a value, RFC 9112 §2.2",
                "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
                .malformedField
            ),
            Row("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", .malformedField),
            Row("a continued line, §5.2", "GET / HTTP/1.1\r\nHost: a\r\n b: c\r\n\r\n", .malformedField),
            Row("white space before the colon, §5.1", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformedField),
            Row("a line without a colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", .malformedField),
            Row("a line without a name", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", .malformedField),
            Row("no Host", "GET / HTTP/1.1\r\nX: a\r\n\r\n", .missingHost),
            Row("two Host lines", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .severalHosts),
            Row("a target beyond its limit", "GET /2345678901 HTTP/1.1\r\nHost: a\r\n\r\n", .targetTooLong),
            Row(
                "a head beyond its limit",
                "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100))\r\n\r\n",
                .headTooLarge
            ),
            Row(
                "content beyond its limit",
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n",
                .contentTooLarge
            ),
            Row(
                "a transfer coding in HTTP/1.0, RFC 9112 §6.1",
                "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                .unknownCoding
            ),
            Row(
                "two transfer codings",
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                .unknownCoding
            ),
        ]
    )
    func complete(row: Row) {
        #expect(read(row.text) == row.problem.map { .refused($0) } ?? .complete(row.text.utf8.count))
    }

    @Test("Bytes behind the head belong to what follows")
    func rest() {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
        #expect(read(head + "a\r\n\r\nb") == .complete(head.utf8.count))
    }

    @Test("No part of a head is complete, and every part may be continued")
    func parts() {
        let head = "\r\nGET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n"
        for count in 0..<head.utf8.count {
            #expect(read(String(decoding: head.utf8.prefix(count), as: UTF8.self)) == .incomplete)
        }
    }

    @Test(
        "What cannot become a method is refused at once, such as a ClientHello of TLS",
        arguments: [
            ("G", true), ("\r", true), ("\r\n", true), ("\r\nG", true), ("\r\n\r", true),
            ("\u{16}\u{3}\u{1}", false),
            (" GET", false), ("\r\n\u{0}", false),
        ]
    )
    func beginning(text: String, isPossible: Bool) {
        #expect(read(text) == (isPossible ? .incomplete : .refused(.malformedRequestLine)))
    }

    @Test("An incomplete head is refused when it exceeds its limit, not before", arguments: [100, 101])
    func longPart(count: Int) {
        let text = "GET / HTTP/1.1\r\nX: "
        let filled = text + String(repeating: "x", count: count - text.utf8.count)
        #expect(read(filled) == (count > 100 ? .refused(.headTooLarge) : .incomplete))
    }

    @Test("The parts of a head are where they are in the text, values without surrounding white space")
    func places() {
        let text = "PUT /a?b HTTP/1.1\r\nHost: a\r\nX: \t a  b\t\r\nx:\r\n\r\n"
        var reader = HeadReader()
        #expect(read(text, with: &reader) == .complete(text.utf8.count))
        let bytes = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(part(reader.method) == "PUT")
        #expect(part(reader.target) == "/a?b")
        #expect(reader.lines.map { part($0.name) } == ["Host", "X", "x"])
        #expect(reader.lines.map { part($0.value) } == ["a", "a  b", ""])
    }

    @Test(
        "Connection and Expect are lists without regard to case, RFC 9110 §7.6.1 and §10.1.1",
        arguments: [
            ("X: close", false, false, false), ("Connection: close", true, false, false),
            ("connection: Keep-Alive", false, true, false), ("Connection: x , CLOSE", true, false, false),
            ("Connection: close, keep-alive", true, true, false), ("Connection: closed", false, false, false),
            ("Connection: x\r\nConnection: close", true, false, false),
            ("Expect: 100-Continue", false, false, true), ("Expect: 100-continued", false, false, false),
            ("Expect: 100-continue, a", false, false, true), ("Expect: , 100-continue", false, false, true),
            ("Expect: a\r\nExpect: 100-continue", false, false, true),
        ]
    )
    func options(lines: String, close: Bool, keepAlive: Bool, waits: Bool) {
        var reader = HeadReader()
        _ = read("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n", with: &reader)
        #expect(reader.wantsClose == close)
        #expect(reader.wantsKeepAlive == keepAlive)
        #expect(reader.expectsContinue == waits)
    }

    @Test("Nothing of a head remains in the next one")
    func reuse() {
        var reader = HeadReader()
        let first =
            "PUT /a HTTP/1.0\r\nConnection: close, keep-alive\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        #expect(read(first, with: &reader) == .complete(first.utf8.count))
        #expect(!reader.isHTTP11 && reader.check.length == 3)
        let second = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(read(second, with: &reader) == .complete(second.utf8.count))
        #expect(reader.isHTTP11 && reader.check.length == nil && reader.lines.count == 1)
        #expect(!reader.wantsClose && !reader.wantsKeepAlive && !reader.expectsContinue)
    }
}
