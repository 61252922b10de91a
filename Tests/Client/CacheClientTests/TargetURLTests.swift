import Testing

@testable import CacheClient

@Suite("URLs of requests and references, RFC 3986")
struct TargetURLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var scheme = "http"
        var authority: String
        var path: String
        var testDescription: String { text }
    }

    @Test(
        "A URL is split into scheme, authority and path, with or without a fragment",
        arguments: [
            Row(text: "http://a.example/", authority: "a.example", path: "/"),
            Row(
                text: "https://a.example:8443/b/c?d=/../e",
                scheme: "https",
                authority: "a.example:8443",
                path: "/b/c?d=/../e"
            ),
            Row(text: "HTTP://A.example/B", authority: "A.example", path: "/B"),
            Row(text: "http://a.example", authority: "a.example", path: "/"),
            Row(text: "http://a.example?x", authority: "a.example", path: "/?x"),
            Row(text: "http://a.example:/x", authority: "a.example:", path: "/x"),
            Row(text: "http://a.example:65535/", authority: "a.example:65535", path: "/"),
            Row(text: "http://[::1]:80/x", authority: "[::1]:80", path: "/x"),
            Row(text: "http://127.0.0.1:8080/", authority: "127.0.0.1:8080", path: "/"),
            Row(text: "http://0x7f.1/", authority: "127.0.0.1", path: "/"),
            Row(text: "http://0X7F.0.0.0x1:80/", authority: "127.0.0.1:80", path: "/"),
            Row(text: "http://2130706433/x", authority: "127.0.0.1", path: "/x"),
            Row(text: "http://127.1:8080/x", authority: "127.0.0.1:8080", path: "/x"),
            Row(text: "http://0177.0.0.01/", authority: "127.0.0.1", path: "/"),
            Row(text: "http://192.168.257/", authority: "192.168.1.1", path: "/"),
            Row(text: "http://%30x7f.1/", authority: "127.0.0.1", path: "/"),
            Row(text: "http://4294967296/", authority: "4294967296", path: "/"),
            Row(text: "http://256.1/", authority: "256.1", path: "/"),
            Row(text: "http://08.1/", authority: "08.1", path: "/"),
            Row(text: "http://127.0.0.1./", authority: "127.0.0.1.", path: "/"),
            Row(text: "http://1.2.3.4.5/", authority: "1.2.3.4.5", path: "/"),
            Row(text: "http://127.0.0.1.example/", authority: "127.0.0.1.example", path: "/"),
            Row(text: "http://0x7g.1/", authority: "0x7g.1", path: "/"),
            Row(text: "http://a_b.example/", authority: "a_b.example", path: "/"),
            Row(text: "http://a.example/b/../c/./d", authority: "a.example", path: "/c/d"),
            Row(text: "http://a.example/../../b", authority: "a.example", path: "/b"),
            Row(text: "http://a.example/b/..", authority: "a.example", path: "/"),
            Row(text: "http://a.example/b/%2e%2E/c", authority: "a.example", path: "/c"),
            Row(text: "http://a.example/...", authority: "a.example", path: "/..."),
            Row(text: "http://a.example/a.b/c..d", authority: "a.example", path: "/a.b/c..d"),
            Row(text: "http://a.example/%2f%zz", authority: "a.example", path: "/%2f%zz"),
            Row(text: "http://a.example/ü", authority: "a.example", path: "/%C3%BC"),
            Row(text: "http://a.example//b///c", authority: "a.example", path: "//b///c"),
            Row(text: "http://a-z.Example.0/", authority: "a-z.Example.0", path: "/"),
            Row(text: "http://a.example:00080/", authority: "a.example:00080", path: "/"),
            Row(text: "http://a.example:000080/", authority: "a.example:000080", path: "/"),
            Row(text: "http://a.example/~!$&'()*+,;=:@-_", authority: "a.example", path: "/~!$&'()*+,;=:@-_"),
            Row(text: "http://a.example/b/./", authority: "a.example", path: "/b/"),
            Row(text: "http://a.example/b/.", authority: "a.example", path: "/b/"),
            Row(text: "http://a.example/.b/..c/.../d", authority: "a.example", path: "/.b/..c/.../d"),
            Row(text: "http://a.example/b/.%2E", authority: "a.example", path: "/"),
            Row(text: "http://a.example/b/%2e/c?d=/./e", authority: "a.example", path: "/b/c?d=/./e"),
            Row(text: "http://a.example/%20b", authority: "a.example", path: "/%20b"),
            Row(text: "http://[fe80::1]/", authority: "[fe80::1]", path: "/"),
        ]
    )
    func parts(row: Row) throws {
        let url = try TargetURL(row.text)
        #expect(url.scheme == row.scheme)
        #expect(url.authority == row.authority)
        #expect(url.path == row.path)
        #expect(url.fragment == nil)
        // URLs without a fragment may be split by shorter code, which must agree with the general one.
        var other = try TargetURL(row.text + "#part")
        #expect(other.fragment == "part")
        other.fragment = nil
        #expect(other == url)
    }

    @Test(
        "A URL that no request can be made of is rejected",
        arguments: [
            ("", -1000), ("a", -1000), ("/a", -1000), ("http:/a", -1000), ("http://", -1000),
            ("http://?", -1000),
            ("http://:80/", -1000), ("http://a:65536/", -1000), ("http://a:8x/", -1000),
            ("http://a:-1/", -1000),
            ("http://a:9x/", -1000), ("http://a:99999/", -1000), ("http://a:123456/", -1000),
            ("http://a/b c", -1000), ("http://a/b#c d", -1000), ("http://a/\u{1F}", -1000),
            ("https:/a", -1000), ("httpx://a/", -1002), ("http://[::1]:x/", -1000), ("http://@a/", -1000),
            ("http://a b/", -1000), ("http://a/\u{7F}", -1000), ("http://a/\r\nb", -1000),
            ("http://é/", -1000), ("http://%C3%A9/", -1000), ("http://a%zz/", -1000),
            ("http://user@a/", -1000), ("http://a:1@b/", -1000), ("ftp://a/", -1002), ("file:///a", -1002),
        ]
    )
    func rejected(text: String, code: Int) {
        do {
            let url = try TargetURL(text)
            Issue.record("\(url) is accepted.")
        } catch {
            #expect(ClientError(error, url: text).code.rawValue == code)
        }
    }

    @Test(
        "A reference is resolved as in RFC 3986 §5.4, and inherits the fragment (RFC 9110 §10.2.2)",
        arguments: [
            ("g", "http://a/b/c/g#f"), ("./g", "http://a/b/c/g#f"), ("g/", "http://a/b/c/g/#f"),
            ("/g", "http://a/g#f"), ("//g", "http://g/#f"), ("?y", "http://a/b/c/d;p?y#f"),
            ("g?y", "http://a/b/c/g?y#f"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
            (";x", "http://a/b/c/;x#f"), ("", "http://a/b/c/d;p?q#f"), (".", "http://a/b/c/#f"),
            ("..", "http://a/b/#f"), ("../g", "http://a/b/g#f"), ("../../g", "http://a/g#f"),
            ("../../../g", "http://a/g#f"), ("/./g", "http://a/g#f"), ("g.", "http://a/b/c/g.#f"),
            ("./g/.", "http://a/b/c/g/#f"), ("g;x=1/../y", "http://a/b/c/y#f"),
            ("g?y/../x", "http://a/b/c/g?y/../x#f"), ("https://b/c", "https://b/c#f"),
            ("HTTP://b/c#s", "http://b/c#s"), ("#", "http://a/b/c/d;p?q#"), ("?", "http://a/b/c/d;p?#f"),
            ("g:h/i", "error"), ("x+-.1:y", "error"), ("./g:h", "http://a/b/c/g:h#f"),
            ("g/h:i", "http://a/b/c/g/h:i#f"), ("?g:h", "http://a/b/c/d;p?g:h#f"),
            ("/g/./h/../i", "http://a/g/i#f"), ("//g:81/h?i#j", "http://g:81/h?i#j"), ("/", "http://a/#f"),
        ]
    )
    func resolved(reference: String, text: String) throws {
        let base = try TargetURL("http://a/b/c/d;p?q#f")
        #expect((try? base.resolve(reference).text) ?? "error" == text)
    }

    @Test("Dot segments are kept where the target of another client is forwarded, RFC 9110 §7.7")
    func dots() throws {
        #expect(try TargetURL("http://a/b/../c/./d/%2e", keepsDots: true).path == "/b/../c/./d/%2e")
        #expect(try TargetURL("http://a/b/../c/./d/%2e").path == "/c/d/")
    }

    @Test(
        "An origin is scheme, host without regard to case, and port (RFC 6454 §4)",
        arguments: [
            ("http://a/x", "http://A:80/y", true), ("https://a/", "https://a:443/", true),
            ("http://a/", "http://a:/", true), ("http://[::1]/", "http://[::1]:80/", true),
            ("http://a/", "https://a/", false), ("http://a/", "http://a:81/", false),
            ("http://a/", "http://b/", false), ("https://a:80/", "https://a/", false),
            ("https://a:/", "https://a:443/", true), ("http://[::1]/", "http://[::2]/", false),
            ("http://[::1]:/", "http://[::1]/", true), ("http://[::1]:81/", "http://[::1]/", false),
        ]
    )
    func origin(one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try TargetURL(one), try TargetURL(other))
        #expect(one.hasSameOrigin(as: other) == isSame)
        #expect(other.hasSameOrigin(as: one) == isSame)
    }
}
