import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Groups, RFC 9875, and Clear-Site-Data")
struct SiteTests {
    private func groups(_ settlement: Settlement) -> [String]? {
        settlement.edits.compactMap { edit -> [String]? in
            if case .invalidateGroups("http://example.test", let groups) = edit { groups } else { nil }
        }.first
    }

    @Test(
        "Cache-Group-Invalidation of a successful unsafe request names the groups to invalidate",
        .checks("rfc9875.3.invalidation"),
        arguments: [
            ("\"a\", \"b\"", 200, "POST", ["a", "b"]), ("\"a\";x=1", 303, "DELETE", ["a"]),
            ("\"a\"", 200, "M-SEARCH", ["a"]), ("\"a\", b, 1", 200, "POST", ["a"]),
            ("\"a\"", 404, "POST", nil),
            ("\"a\"", 500, "POST", nil), ("\"a\"", 200, "GET", nil), ("\"a\"", 200, "QUERY", nil),
            ("a", 200, "POST", nil), ("\"a", 200, "POST", nil), ("", 200, "POST", nil),
        ] as [(String, Int, String, [String]?)]
    )
    func invalidation(field: String, status: Int, method: String, expected: [String]?) {
        let settled = CacheEngine().exchange(
            request(method: method),
            response("Cache-Group-Invalidation: \(field)", status: status)
        )
        #expect(groups(settled) == expected)
    }

    @Test(
        "The groups of the target's stored responses are invalidated with it",
        .checks("rfc9875.2.2.1.shared")
    )
    func shared() {
        let entry = stored("Cache-Groups: \"a\", \"b\"")
        let settled = CacheEngine().exchange(request(method: "PUT"), [entry], response())
        #expect(groups(settled) == ["a", "b"])
        #expect(entry.groups == ["a", "b"])
        #expect(entry.origin == "http://example.test")
        #expect(stored("Cache-Groups: a, b").groups.isEmpty)
    }

    @Test("Forty groups of forty characters are all parsed")
    func many() {
        let names = (10..<50).map { "\($0)" + String(repeating: "x", count: 38) }
        let entry = stored("Cache-Groups: " + names.map { "\"\($0)\"" }.joined(separator: ", "))
        #expect(entry.groups == names)
    }

    struct Site: CustomTestStringConvertible, Sendable {
        let scheme: String
        let authority: String
        let field: String
        let kind: CacheKind
        let clears: Bool
        var testDescription: String { "\(scheme)://\(authority) \(field), \(kind)" }

        init(
            _ scheme: String,
            _ authority: String,
            _ field: String,
            _ kind: CacheKind = .private,
            clears: Bool
        ) {
            self.scheme = scheme
            self.authority = authority
            self.field = field
            self.kind = kind
            self.clears = clears
        }
    }

    static let sites = [
        Site("https", "example.test", "\"cache\"", clears: true),
        Site("https", "example.test", "\"*\"", clears: true),
        Site("https", "example.test", "\"cookies\",\"cache\"", clears: true),
        Site("https", "example.test", "\"cookies\"", clears: false),
        Site("https", "example.test", "cache", clears: false),
        Site("https", "example.test", "\"Cache\"", clears: false),
        Site("https", "example.test", "*", clears: false),
        Site("https", "example.test", "\"cache\"", .shared, clears: false),
        Site("http", "example.test", "\"cache\"", clears: false),
        Site("http", "localhost:8080", "\"cache\"", clears: true),
        Site("http", "a.localhost", "\"cache\"", clears: true),
        Site("http", "127.0.0.1:80", "\"cache\"", clears: true),
        Site("http", "127.1.2.3", "\"cache\"", clears: true),
        Site("http", "[::1]:8080", "\"cache\"", clears: true),
        Site("http", "127.0.0.1.example.test", "\"cache\"", clears: false),
        Site("http", "localhost.example.test", "\"cache\"", clears: false),
        Site("http", "10.0.0.1", "\"cache\"", clears: false),
        Site("http", "10.127.0.1", "\"cache\"", clears: false),
        // Other forms of 127.0.0.1 (WHATWG URL §3.5).
        Site("http", "127.0.1", "\"cache\"", clears: true),
        Site("http", "0x7f.1:8080", "\"cache\"", clears: true),
        Site("http", "127.255.0x1", "\"cache\"", clears: true),
        Site("http", "127.256.0x1", "\"cache\"", clears: false),
        Site("http", "127.0xffffff", "\"cache\"", clears: true),
        Site("http", "127.0x1000000", "\"cache\"", clears: false),
        Site("http", "127.0.0.0.1", "\"cache\"", clears: false),
        Site("http", "127.0.0.256", "\"cache\"", clears: false),
        Site("http", "127..0.1", "\"cache\"", clears: false),
        Site("http", "127.0.0.1@example.test", "\"cache\"", clears: false),
        Site("http", "me@127.0.0.1", "\"cache\"", clears: true),
        Site("http", "[::2]", "\"cache\"", clears: false),
        Site("ftp", "localhost", "\"cache\"", clears: false),
    ]

    @Test(
        "Clear-Site-Data is obeyed in a private cache and from a trustworthy origin",
        .checks("clear-site-data.3.1.cache", "clear-site-data.3.1.trustworthy"),
        arguments: sites
    )
    func clearing(site: Site) {
        var asked = request()
        asked.scheme = site.scheme
        asked.authority = site.authority
        let settled = CacheEngine(kind: site.kind)
            .exchange(asked, response("Clear-Site-Data: \(site.field)", "Cache-Control: max-age=60"))
        let clears = settled.edits.contains { if case .clear = $0 { true } else { false } }
        #expect(clears == site.clears)
        // A response that clears the site is not stored itself.
        #expect((settled.put == nil) == site.clears)
    }
}
