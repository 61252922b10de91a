import Addresses
import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite(
    "The targets and hosts of a gateway's requests, RFC 9110 §7.4, §7.7, RFC 9112 §3.2",
    .timeLimit(.minutes(20)),
    .blocking
)
struct TargetTests {
    /// Returns an origin that answers each request with its request line, fresh for a minute.
    private static func echo() -> ScriptedServer {
        ScriptedServer { _, head in
            let line = String(head.prefix { $0 != "\r\n" })
            return
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(line.utf8.count)\r\n\r\n\(line)"
        }
    }

    private static let loopback = AddressBlock("127.0.0.0/8").map { [$0] } ?? []

    private func fixture(_ origin: String?, _ change: (inout Gateway.Configuration) -> Void = { _ in }) throws
        -> GatewayFixture
    {
        try GatewayFixture([]) { configuration in
            configuration.mode = origin.map { .reverse(origin: $0) } ?? .forward
            configuration.allowedAddresses = Self.loopback
            change(&configuration)
        }
    }

    private func ask(_ fixture: GatewayFixture, _ line: String, _ fields: String = "") throws -> RawResponse {
        let client = try fixture.client()
        try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        return try client.response()
    }

    @Test(
        "A reverse proxy refuses an absolute target of another scheme, RFC 9110 §7.4",
        arguments: ["https", "ftp"]
    )
    func otherScheme(scheme: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(origin.url)
        let authority = origin.url.dropFirst("http://".count)
        #expect(try ask(fixture, "GET http://\(authority)/a").status == 200)
        #expect(try ask(fixture, "GET \(scheme)://\(authority)/a").status == 421)
    }

    @Test("An absolute target may have the port by which clients reach the gateway, RFC 9112 §3.2.2")
    func publicPort() throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(origin.url) { $0.publicPort = 4321 }
        #expect(try ask(fixture, "GET http://localhost:4321/a").text == "GET /a HTTP/1.1")
        #expect(try ask(fixture, "GET http://localhost:4322/a").status == 421)
    }

    @Test(
        "An absolute target may have a name of the gateway, with any port if the system chose it, RFC 9112 §3.2.2",
        arguments: [
            ("127.0.0.1:PORT", 200), ("127.0.0.1:1", 200), ("LOCALHOST:PORT", 200), ("[::1]:PORT", 200),
            ("site.example", 200),
            ("site.example:80", 200), ("site.example:81", 421), ("other.example:8080", 200),
            ("other.example", 421),
            ("elsewhere:PORT", 421),
        ]
    )
    func ownNames(authority: String, status: Int) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(origin.url) { $0.hostNames = ["site.example", "other.example:8080"] }
        let port = try #require(fixture.gateway.port)
        let authority = authority.replacing("PORT", with: "\(port)")
        #expect(try ask(fixture, "GET http://\(authority)/a").status == status)
    }

    private static let loopbacks = ["0x7f.1", "2130706433", "127.1", "0177.0.0.1", "%30x7f.1", "0x7f000001"]

    @Test(
        "A forward proxy does not connect to a private address, in whatever form it is written, RFC 3986 §7.4",
        arguments: loopbacks
    )
    func unusualAddress(host: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let port = origin.url.split(separator: ":").last ?? ""
        let fixture = try fixture(nil) { $0.allowedAddresses = [] }
        #expect(try ask(fixture, "GET http://\(host):\(port)/a").status == 403)
        #expect(origin.connections == 0)
    }

    @Test(
        "All forms of an address are one host: what is stored for one answers for all, and is invalidated by all",
        arguments: loopbacks
    )
    func sameAddress(host: String) throws {
        let origin = ScriptedServer { number, _ in
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\n\(number)"
        }
        defer { origin.stop() }
        let port = origin.url.split(separator: ":").last ?? ""
        let fixture = try fixture(nil)
        #expect(try ask(fixture, "GET http://127.0.0.1:\(port)/a").text == "1")
        #expect(try ask(fixture, "GET http://\(host):\(port)/a").text == "1")
        #expect(try ask(fixture, "POST http://\(host):\(port)/a", "Content-Length: 0\r\n").text == "2")
        #expect(try ask(fixture, "GET http://127.0.0.1:\(port)/a").text == "3")
    }

    @Test(
        "A forward proxy sends path and query unchanged, and uses them in its key",
        .checks("rfc9110.7.7.target"),
        arguments: [
            "/x/../a", "/./a/.", "/x/%2e%2e/a", "/%7ea%2fb?%7e=/../c", "/a?b=c&d", "/%zz", "/a//b", "/a|b",
        ]
    )
    func forward(target: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(nil)
        for status in ["fwd=uri-miss", "hit"] {
            let seen = try ask(fixture, "GET \(origin.url)\(target)")
            #expect(seen.text == "GET \(target) HTTP/1.1")
            #expect(seen["Cache-Status"]?.contains(status) == true)
        }
        let normalized = CacheKey(targetURI: origin.url + target).normalizedTargetURI
        guard normalized != origin.url + target else { return }
        #expect(try ask(fixture, "GET \(normalized)")["Cache-Status"]?.contains("fwd=uri-miss") == true)
    }

    @Test(
        "A reverse proxy removes dot segments and leaves the rest unchanged",
        arguments: [
            ("/x/../a", "/a"), ("/x/%2e%2e/a", "/a"), ("/%7ea%2fb?%7e=/../c", "/%7ea%2fb?%7e=/../c"),
            ("/%zz", "/%zz"), ("/a//b", "/a//b"), ("/.a/b..", "/.a/b.."),
        ]
    )
    func reverse(target: String, sent: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(origin.url)
        #expect(try ask(fixture, "GET \(target)").text == "GET \(sent) HTTP/1.1")
        #expect(try ask(fixture, "GET \(sent)")["Cache-Status"]?.contains("hit") == true)
    }

    @Test(
        "OPTIONS of a whole server is sent with the target *",
        .checks("rfc9112.3.2.4.asterisk"),
        arguments: [true, false]
    )
    func options(isForward: Bool) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(isForward ? nil : origin.url)
        let asked = isForward ? [origin.url] : ["*", origin.url]
        for target in asked {
            #expect(try ask(fixture, "OPTIONS \(target)").text == "OPTIONS * HTTP/1.1")
        }
        #expect(try ask(fixture, "OPTIONS \(origin.url)/").text == "OPTIONS / HTTP/1.1")
        #expect(try ask(fixture, "OPTIONS \(origin.url)?a").text == "OPTIONS /?a HTTP/1.1")
    }

    @Test(
        "A byte beyond ASCII in a target results in 400, whatever its form",
        .checks("rfc9112.3.invalid-line")
    )
    func beyondASCII() throws {
        let origin = Self.echo()
        defer { origin.stop() }
        for fixture in [try fixture(nil), try fixture(origin.url)] {
            for prefix in ["/a", "\(origin.url)/a"] {
                let client = try fixture.client()
                try client.send(
                    Array("GET \(prefix)".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
                )
                #expect(try client.response().status == 400)
            }
        }
        #expect(origin.connections == 0)
    }

    @Test(
        "A forward proxy connects to no address of this machine or of a private network, by any name",
        arguments: [
            "127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "[::1]", "169.254.169.254",
            "2130706433",
        ]
    )
    func refused(host: String) throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(nil) { $0.allowedAddresses = [] }
        let seen = try ask(fixture, "GET http://\(host):\(origin.port)/a")
        #expect(seen.status == 403)
        #expect(seen.text.contains("is not a public address") && seen.text.contains("--allow ADDRESS/BITS"))
        #expect(try ask(fixture, "OPTIONS http://\(host):\(origin.port)").status == 403)
        #expect(origin.connections == 0)
    }

    @Test("A forward proxy's own origin gets requests at any address")
    func ownOrigin() throws {
        let origin = Self.echo()
        let other = Self.echo()
        defer {
            origin.stop()
            other.stop()
        }
        let fixture = try fixture(origin.url) { configuration in
            configuration.mode = .reverseAndForward(origin: origin.url)
            configuration.allowedAddresses = []
        }
        #expect(try ask(fixture, "GET /a").status == 200)
        #expect(try ask(fixture, "GET \(origin.url)/b").status == 200)
        #expect(try ask(fixture, "GET \(other.url)/b").status == 403)
    }

    @Test(
        "Fields of proxies are dropped in every spelling, unless they are passed and part of the key"
    )
    func passed() throws {
        let seen = Lock([String]())
        let origin = ScriptedServer { number, head in
            seen.withLock { $0.append(head) }
            return "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\n\(number)"
        }
        defer { origin.stop() }
        let fixture = try fixture(origin.url) { configuration in
            configuration.passedFields = [.init("X-Forwarded-Host")].compactMap(\.self)
        }
        let lines = [
            "X-Forwarded-Host: a", "X_Forwarded_Host: b", "X.Forwarded!Host: b", "X-Forwarded-Proto: c",
            "CF-Connecting-IP: d",
        ]
        #expect(try fixture.ask("GET", "/1", lines).text == "1")
        #expect(try fixture.ask("GET", "/1", ["X-Forwarded-Host: e"]).text == "2")
        #expect(try fixture.ask("GET", "/1", ["X-Forwarded-Host: a"]).text == "1")
        #expect(try fixture.ask("GET", "/1").text == "3")
        let first = seen.withLock { $0[0] }
        #expect(first.contains("X-Forwarded-Host: a\r\n"))
        #expect(
            !first.contains("X_Forwarded_Host") && !first.contains("X.Forwarded") && !first.contains("Proto")
                && !first.contains("CF-")
        )
    }

    @Test("A purge of a URL removes entries of its other spellings, and of other callers")
    func purge() throws {
        let origin = Self.echo()
        defer { origin.stop() }
        let fixture = try fixture(origin.url) { configuration in
            configuration.engine = CacheEngine(kind: .private)
            configuration.engine.partition = CredentialPartition(salt: Array("sixteen bytes ok".utf8))
        }
        for target in ["/a", "/%61", "/b"] { _ = try ask(fixture, "GET \(target)") }
        _ = try ask(fixture, "GET /a", "Cookie: sid=1\r\n")
        #expect(fixture.gateway.entryCount == 4)
        #expect(fixture.gateway.purge(url: origin.url + "/%61")?.keys == 3)
        #expect(fixture.gateway.entryCount == 1)
        #expect(fixture.gateway.purge(url: "no URL") == nil)
    }
}
