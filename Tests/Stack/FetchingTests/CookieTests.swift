import CacheClient
import Clocks
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing

@Suite("Cookies, RFC 6265", .timeLimit(.minutes(20)))
struct CookieTests {
    @Test("A cookie that the server sets is sent back, even if it was set by a redirect")
    func roundTrip() async throws {
        var redirect = json("") { $0.status = 302 }
        redirect.fields = [
            FieldLine("Set-Cookie", .text("hop=1; Path=/")), FieldLine("Location", .text("${base}/final")),
        ]
        var final = json("{}")
        final.fields.append(FieldLine("Set-Cookie", .text("last=2; Path=/; Max-Age=60")))
        let fixture = try FetchFixture(
            Route.each(("/start", [redirect]), ("/final", [final]), ("/next", [json("{}")]))
        )
        let cookies = CookieStorage(clock: fixture.clock)
        let session = fixture.session(cookies: cookies)
        _ = try await session.get("start")
        #expect(fixture.lastFields("cookie") == ["hop=1"])
        _ = try await session.get("next")
        #expect(fixture.lastFields("cookie") == ["hop=1; last=2"])
        fixture.clock.advance(by: .seconds(60))
        _ = try await session.get("next")
        #expect(fixture.lastFields("cookie") == ["hop=1"])
        _ = try await session.send(.get("next").with { $0.fields[.cookie] = "own=3" })
        #expect(fixture.lastFields("cookie") == ["own=3"])
    }

    @Test("A session without cookies sends none, and each session has its own")
    func separate() async throws {
        let fixture = try FetchFixture(json("{}") { $0.fields.append(FieldLine("Set-Cookie", .text("a=1"))) })
        let session = fixture.session()
        let other = fixture.session(cookies: CookieStorage(clock: fixture.clock))
        for _ in 0..<2 { _ = try await session.get("x") }
        #expect(fixture.lastFields("cookie") == [])
        for _ in 0..<2 { _ = try await other.get("x") }
        #expect(fixture.lastFields("cookie") == ["a=1"])
    }

    @Test(
        "A cookie applies to the host, path and time of its Set-Cookie field",
        arguments: [
            ("a=1", "http://example.com/x/y", "http://example.com/x/z", "a=1"),
            ("a=1", "http://example.com/x/y", "http://example.com/", nil),
            ("a=1; Path=/", "http://example.com/x/y", "http://example.com/", "a=1"),
            ("a=1; Path=/x", "http://example.com/", "http://example.com/xy", nil),
            ("a=1", "http://example.com/", "http://sub.example.com/", nil),
            ("a=1; Domain=.example.com", "http://www.example.com/", "http://sub.example.com/", "a=1"),
            ("a=1; Domain=com", "http://example.com/", "http://example.com/", nil),
            ("a=1; Domain=other.com", "http://example.com/", "http://other.com/", nil),
            ("a=1; Domain=0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
            ("a=1; Secure", "https://example.com/", "http://example.com/", nil),
            ("a=1; Secure", "https://example.com/", "https://example.com/", "a=1"),
            ("a=1; Secure", "http://example.com/", "https://example.com/", nil),
            ("a=1; Max-Age=0", "http://example.com/", "http://example.com/", nil),
            ("a=1; Expires=Wed, 31 Dec 2025 23:59:59 GMT", "http://example.com/", "http://example.com/", nil),
            // RFC 6265 §5.1.1, §5.2.1: a date that does not exist is ignored.
            (
                "a=1; Expires=Mon, 31 Nov 2025 00:00:00 GMT", "http://example.com/", "http://example.com/",
                "a=1"
            ),
            (
                "a=1; Expires=Sat, 29 Feb 2025 00:00:00 GMT", "http://example.com/", "http://example.com/",
                "a=1"
            ),
            ("a=1; Expires=Thu, 29 Feb 2024 00:00:00 GMT", "http://example.com/", "http://example.com/", nil),
            ("a=1; Expires=Thu, 01-Jan-26 00:00:01 GMT", "http://example.com/", "http://example.com/", "a=1"),
            (
                "a=1; Max-Age=5; Expires=Wed, 31 Dec 2025 23:59:59 GMT", "http://example.com/",
                "http://example.com/", "a=1"
            ),
            ("a=\"b c\" ; x", "http://example.com/", "http://example.com/", "a=\"b c\""),
            ("novalue", "http://example.com/", "http://example.com/", "novalue"),
            ("", "http://example.com/", "http://example.com/", nil), ("a=1", "nonsense", "nonsense", nil),
            ("a=1", "http://EXAMPLE.com:80/", "http://example.com:8080/", "a=1"),
        ] as [(String, String, String, String?)]
    )
    func rules(field: String, from: String, to: String, expected: String?) {
        let cookies = CookieStorage(clock: VirtualClock(wallSeconds: startOfTime))
        cookies.store([.setCookie: field], from: from)
        #expect(cookies.field(for: to) == expected)
    }

    @Test("A cookie replaces one with the same name, domain and path; longer paths come first")
    func replacement() {
        let cookies = CookieStorage(clock: VirtualClock(wallSeconds: startOfTime), limit: 2)
        for field in ["a=1; Path=/", "b=2; Path=/x", "a=3; Path=/"] {
            cookies.store([.setCookie: field], from: "http://example.com/")
        }
        #expect(cookies.field(for: "http://example.com/x") == "b=2; a=3")
        cookies.store([.setCookie: "c=4"], from: "http://example.com/")
        #expect(cookies.cookies.map(\.name) == ["b", "c"])
        cookies.removeAll()
        #expect(cookies.cookies.isEmpty)
    }
}
