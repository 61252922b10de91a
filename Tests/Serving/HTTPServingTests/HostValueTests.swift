import Locks
import Testing
import TestSupport

@testable import HTTPServing

/// RFC 9110 §7.2: `uri-host [":" port]`, with the host of RFC 3986 §3.2.2.
@Suite("Values of Host", .blocking)
struct HostValueTests {
    private func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { HostValue.isValid($0) } }

    @Test(
        "A host with an optional port is valid",
        arguments: [
            "", "a", "a.example", "A-1.example.", "127.0.0.1", "a:80", "a:", "a:0080", "~a_b", "!$&'()*+,;=",
            "%41", "a%2db", "%E2%82%AC:1", "[::1]", "[::1]:80", "[::1]:", "[2001:db8::7]",
            "[::ffff:127.0.0.1]",
            "[v1.a:b]", "[V1F.x]:443",
        ]
    )
    func valid(text: String) {
        #expect(isValid(Array(text.utf8)))
    }

    @Test(
        "Anything else is not",
        arguments: [
            "a b", " a", "a\t", "a/b", "a?b", "a#b", "user@a", "a\\b", "a\"b", "a<b>", "a:b", "a:80:90",
            "a:8 0",
            "a:-1", "a:+1", "a%", "a%4", "a%4g", "%%41", "é", "a,b c", "::1", "[::1", "::1]", "[::1]x",
            "[::1]:x",
            "[]", "[a]", "[127.0.0.1]", "[1::2::3]", "[::1%25lo]", "[::g]", "[v.a]", "[v1]", "[v1.]",
            "[vg.a]",
            "[v1.a/b]", "[[::1]]",
        ]
    )
    func invalid(text: String) {
        #expect(!isValid(Array(text.utf8)))
    }

    @Test(
        "No byte beyond ASCII, and no control character, is part of a host",
        arguments: [0...0x20, 0x7F...0xFF]
    )
    func bytes(range: ClosedRange<Int>) {
        let accepted = range.filter { isValid([0x61, UInt8($0), 0x62]) }
        #expect(accepted == [])
        #expect(range.filter { isValid(Array("[::1".utf8) + [UInt8($0)] + Array("]".utf8)) } == [])
    }

    @Test(
        "Over a connection an invalid value is refused, and the connection closed",
        arguments: [
            ("a.example:8080", "200 OK"), ("a b", "400 badHost"), ("[::1", "400 badHost"),
            ("a:b", "400 badHost"),
        ]
    )
    func refused(value: String, status: String) throws {
        let handler = TestHandler()
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nHost: \(value)\r\n\r\n")
        #expect(try client.response().statusLine == "HTTP/1.1 \(status)")
        #expect(handler.seen.withLock { $0.count } == (status == "200 OK" ? 1 : 0))
        if status != "200 OK" { #expect(try client.isAtEnd()) }
    }
}
