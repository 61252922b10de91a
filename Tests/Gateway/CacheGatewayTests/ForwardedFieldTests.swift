import Addresses
import CacheClient
import CacheGateway
import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("What a forward proxy passes on unchanged, RFC 9110 §5.1, §15.2", .timeLimit(.minutes(20)), .blocking)
struct ForwardedFieldTests {
    /// Returns an origin that answers each request with its head and its number, fresh for a minute.
    private static func echo(_ fields: String = "") -> ScriptedServer {
        ScriptedServer { number, head in
            let text = "\(number)\n" + head
            return
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(fields)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
        }
    }

    private func fixture(_ origin: String?, _ change: (inout Gateway.Configuration) -> Void = { _ in }) throws
        -> GatewayFixture
    {
        try GatewayFixture([]) { configuration in
            configuration.mode = origin.map { .reverse(origin: $0) } ?? .forward
            configuration.allowedAddresses = AddressBlock("127.0.0.0/8").map { [$0] } ?? []
            change(&configuration)
        }
    }

    private func ask(_ fixture: GatewayFixture, _ line: String, _ fields: String..., content: String = "")
        throws -> RawResponse
    {
        let client = try fixture.client()
        let lines = fields.map { $0 + "\r\n" }.joined()
        try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\(content)")
        return try client.response()
    }

    private static let names = [
        "X-Forwarded-Host", "X_Forwarded_Host", "Forwarded", "X-Original-URL", "X-HTTP-Method-Override",
        "X-Real-IP", "X~Real~IP", "X.Forwarded.Host", "X-Invoke-Path", "X-Middleware-Subrequest",
        "X-Host-Override", "X-Forward-For", "Content_Length", "Accept_Language", "X.Device",
    ]

    @Test(
        "A field that an origin may trust is forwarded, and its response is not reused",
        arguments: names
    )
    func unshared(name: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(nil)
        let evil = try ask(fixture, "GET \(origin.url)/a", "\(name): evil")
        #expect(evil.text.hasPrefix("1\n") && evil.text.contains("\(name): evil\r\n"))
        #expect(evil["Cache-Status"]?.contains("fwd=bypass") == true)
        let good = try ask(fixture, "GET \(origin.url)/a")
        #expect(good.text.hasPrefix("2\n") && !good.text.contains("evil"))
        #expect(try ask(fixture, "GET \(origin.url)/a")["Cache-Status"]?.contains("hit") == true)
        let again = try ask(fixture, "GET \(origin.url)/a", "\(name): evil")
        #expect(again.text.hasPrefix("3\n"))
        #expect(try ask(fixture, "GET \(origin.url)/a").text == good.text)
    }

    @Test("The response to a POST with such a field is not stored for GET, and still invalidates")
    func posted() throws {
        let origin = Self.echo("Content-Location: /a\r\n")
        defer { origin.stop() }
        let fixture = try fixture(nil)
        #expect(try ask(fixture, "GET \(origin.url)/a").text.hasPrefix("1\n"))
        let fields = ["X-Forwarded-Host: evil", "Content-Length: 0"]
        #expect(try ask(fixture, "POST \(origin.url)/a", fields[0], fields[1]).text.hasPrefix("2\n"))
        #expect(try ask(fixture, "GET \(origin.url)/a").text.hasPrefix("3\n"))
    }

    @Test("A field that is part of the key is forwarded, and its response is stored under this key")
    func passed() throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(nil) { configuration in
            configuration.passedFields = HTTPField.Name("X-Forwarded-Host").map { [$0] } ?? []
        }
        for status in ["fwd=uri-miss", "hit"] {
            let seen = try ask(fixture, "GET \(origin.url)/a", "X-Forwarded-Host: b")
            #expect(seen.text.hasPrefix("1\n") && seen.text.contains("X-Forwarded-Host: b"))
            #expect(seen["Cache-Status"]?.contains(status) == true)
        }
    }

    @Test("Cache-Status reports a response that is too large to be stored")
    func tooLarge() throws {
        let origin = Self.echo("X-Padding: \(String(repeating: "a", count: 8_000))\r\n")
        defer { origin.stop() }
        let fixture = try GatewayFixture([], store: .init(memoryCapacity: .bytes(1_000), diskCapacity: .zero))
        {
            $0.mode = .reverse(origin: origin.url)
        }
        let seen = try ask(fixture, "GET /a", "X-Long: \(String(repeating: "a", count: 4_000))")
        #expect(seen["Cache-Status"]?.contains("stored=?0") == true)
    }

    @Test(
        "A field of a response that Connection lists is the same in a miss and in the hit that follows",
        arguments: [
            ("X-Hop", "1", nil), ("ETag", "\"v1\"", nil), ("Content-Type", "text/x-test", "text/x-test"),
            ("Content-Encoding", "x-test", "x-test"), ("Vary", "Accept", "Accept"),
            ("Content-Language", "de", nil),
            ("Cache-Control", "max-age=60", "max-age=60"), ("Trailer", "X-T", nil),
            ("Keep-Alive", "timeout=5", nil),
        ] as [(String, String, String?)]
    )
    func listed(name: String, value: String, expected: String?) throws {
        let fresh = name == "Cache-Control" ? "" : "Cache-Control: max-age=60\r\n"
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 200 OK\r\n\(fresh)Connection: \(name)\r\n\(name): \(value)\r\nContent-Length: 0\r\n\r\n"
        }
        defer { origin.stop() }
        let fixture = try fixture(origin.url)
        for status in ["fwd=uri-miss", "hit"] {
            let seen = try ask(fixture, "GET /a")
            #expect(seen["Cache-Status"]?.contains(status) == true)
            #expect(seen[name] == expected)
        }
    }

    @Test("A 206 whose Connection lists Content-Range is one of that range, RFC 9110 §15.3.7")
    func listedRange() throws {
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 206 Partial Content\r\nCache-Control: max-age=60\r\nETag: \"1\"\r\nConnection: Content-Range, Content-Length\r\n"
                + "Content-Range: bytes 0-2/6\r\nContent-Length: 3\r\n\r\nabc"
        }
        defer { origin.stop() }
        let fixture = try fixture(origin.url)
        for status in ["fwd=uri-miss", "hit"] {
            let seen = try ask(fixture, "GET /a", "Range: bytes=0-2")
            #expect(seen["Cache-Status"]?.contains(status) == true)
            #expect(seen.status == 206 && seen.text == "abc")
            #expect(seen["Content-Range"] == "bytes 0-2/6")
        }
    }

    @Test("Fields about the connection are not forwarded")
    func connection() throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let seen = try ask(
            try fixture(nil),
            "GET \(origin.url)/a",
            "Connection: X-Forwarded-Host",
            "X-Forwarded-Host: evil",
            "Keep-Alive: timeout=1"
        )
        #expect(!seen.text.contains("evil") && !seen.text.contains("Keep-Alive"))
    }

    @Test("An unsolicited 100 is forwarded, RFC 9110 §15.2")
    func unsolicitedContinue() throws {
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 100 Continue\r\nX-Interim: one\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        }
        defer { origin.stop() }
        for fixture in [try fixture(nil), try fixture(origin.url)] {
            let client = try fixture.client()
            try client.send("GET \(origin.url)/a HTTP/1.1\r\nHost: \(origin.url.dropFirst(7))\r\n\r\n")
            let interim = try client.response()
            #expect(interim.status == 100 && interim["X-Interim"] == "one")
            #expect(try client.response().status == 200)
        }
    }

    @Test(
        "Only a shared reverse proxy obeys CDN-Cache-Control by default, RFC 9213 §3.1",
        arguments: [(false, CacheKind.shared, true), (true, .shared, false), (false, .private, false)]
    )
    func targeted(isForward: Bool, kind: CacheKind, isObeyed: Bool) throws {
        let origin = Self.echo("CDN-Cache-Control: no-store\r\n")
        defer { origin.stop() }
        let fixture = try fixture(isForward ? nil : origin.url) { $0.engine.kind = kind }
        _ = try ask(fixture, "GET \(origin.url)/a")
        let isHit = try ask(fixture, "GET \(origin.url)/a")["Cache-Status"]?.contains("hit") == true
        #expect(isHit == !isObeyed)
    }
}
