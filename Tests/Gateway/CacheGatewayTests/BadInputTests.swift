import CacheGateway
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite(
    "A gateway refuses ambiguous requests, RFC 9112 §2.2, §3.2, §5.1, §6",
    .timeLimit(.minutes(20)),
    .blocking
)
struct BadInputTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let request: String

        init(_ name: String, _ request: String, _ status: Int = 400) {
            testDescription = name
            self.status = status
            self.request = request
        }
    }
    private static let rows = [
        Row("two lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        Row("two lengths in a list", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\nab"),
        Row("a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na"),
        Row(
            "a length and a coding",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        Row(
            "an unknown coding",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            501
        ),
        Row("a bare CR", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"),
        Row("a bare LF", "GET / HTTP/1.1\nHost: a\n\n"),
        Row("a bare LF in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n"),
        Row("a NUL", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"),
        Row("a continued line", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"),
        Row("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Row("no host", "GET / HTTP/1.1\r\n\r\n"),
        Row("a space before the colon", "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n"),
        Row("no colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n"),
        Row("a fragment", "GET /#top HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row("a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row("no version", "GET /\r\nHost: a\r\n\r\n"),
        Row("another version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        Row("a target longer than a head", "GET /" + String(repeating: "a", count: 40_000), 414),
        Row("another host", "GET http://elsewhere/ HTTP/1.1\r\nHost: elsewhere\r\n\r\n", 421),
        Row("content of TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na"),
        Row("a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 501),
        Row(
            "a chunk that is too large",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
            413
        ),
        Row(
            "a chunk size that is none",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"
        ),
        Row(
            "a chunk that ends early",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n"
        ),
        Row(
            "a length that is too large",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n",
            413
        ),
    ]

    @Test(
        "The request is answered, the connection is closed, and the origin has received nothing",
        arguments: rows
    )
    func refused(row: Row) throws {
        let fixture = try GatewayFixture(.fresh("x"))
        let client = try fixture.client()
        try client.send(row.request.replacing(" / ", with: " \(fixture.target()) "))
        let response = try client.response()
        #expect(response.status == row.status)
        #expect(response["Connection"] == "close")
        // RFC 9211 §2: a cache's own response has no Cache-Status.
        #expect(response["Cache-Status"] == nil)
        #expect(try client.isAtEnd())
        #expect(fixture.namespace.record().allSatisfy { $0.status == nil })
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test("More than one empty line before a request is refused, whatever the previous request")
    func emptyLines() throws {
        let fixture = try GatewayFixture(.fresh("x"))
        let client = try fixture.client()
        // A head without any line would be confused with this one, which needs no host.
        try client.send("GET \(fixture.target()) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try client.response().text == "x")
        try client.send("\r\n\r\n\r\n")
        #expect(try client.response().status == 400)
        #expect(try client.isAtEnd())
        #expect(fixture.namespace.record().count == 1)
    }

    @Test(
        "Fields of proxies from a caller do not reach the origin, and the next caller gets the same response",
        arguments: [
            "X-Forwarded-Host: evil", "X-Forwarded-Proto: evil", "Forwarded: host=evil",
            "X-Original-URL: /evil",
            "X-Rewrite-URL: /evil", "X-Host: evil", "X-HTTP-Method-Override: DELETE", "X-HTTP-Method: DELETE",
        ]
    )
    func poison(line: String) throws {
        let fixture = try GatewayFixture(.fresh("good"))
        #expect(try fixture.ask("GET", "/1", [line]).text == "good")
        let name = String(line.prefix { $0 != ":" })
        #expect(!fixture.namespace.record()[0].fields.contains { $0.name == name })
    }

    @Test("Whatever host a caller names, requests to the origin have its own")
    func host() throws {
        let fixture = try GatewayFixture(.fresh("good"))
        let client = try fixture.client()
        try client.send("GET \(fixture.target()) HTTP/1.1\r\nHost: evil\r\n\r\n")
        #expect(try client.response().text == "good")
        #expect(
            fixture.namespace.record()[0].fields.first { $0.name == "Host" }?.value
                == "127.0.0.1:\(fixture.server.port ?? 0)"
        )
        #expect(try fixture.ask()["Cache-Status"]?.hasPrefix("CacheCheck; hit") == true)
    }

    @Test(
        "The response to HEAD has no content, RFC 9110 §9.3.2",
        arguments: [
            Row("no host", "HEAD / HTTP/1.1\r\n\r\n"),
            Row("an empty line before it", "\r\nHEAD / HTTP/1.1\r\n\r\n"),
            Row("a malformed field", "HEAD / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n"),
            Row("a fragment", "HEAD /#top HTTP/1.1\r\nHost: a\r\n\r\n"),
            Row("another version", "HEAD / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            Row("another host", "HEAD http://elsewhere/ HTTP/1.1\r\nHost: elsewhere\r\n\r\n", 421),
            Row("a target for OPTIONS", "HEAD * HTTP/1.1\r\nHost: a\r\n\r\n"),
            Row("a target longer than a head", "HEAD /" + String(repeating: "a", count: 40_000), 414),
            Row("a coding", "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ]
    )
    func refusedHead(row: Row) throws {
        let fixture = try GatewayFixture(.fresh("x"))
        let client = try fixture.client()
        try client.send(row.request)
        let bytes = try client.readToEnd()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 \(row.status) "))
        #expect(text.contains("\r\nContent-Length: ") && text.hasSuffix("\r\n\r\n"))
    }
}
