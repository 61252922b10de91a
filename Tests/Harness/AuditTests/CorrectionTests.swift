import Testing

@testable import Audit

@Suite("Corrected fields")
struct CorrectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let path: String
        let status: Int
        let fields: [String: String]
        var testDescription: String { rule }

        init(
            _ rule: String,
            _ cacheControl: String,
            path: String = "/file",
            status: Int = 200,
            _ more: [String: String] = [:]
        ) {
            self.rule = rule
            self.path = path
            self.status = status
            let control = cacheControl.isEmpty ? [:] : ["Cache-Control": cacheControl]
            fields = ["Content-Type": "text/plain", "ETag": "\"v1\""].merging(control) { $1 }.merging(more) {
                $1
            }
        }
    }

    static let html = ["Content-Type": "text/html"]
    static let rows: [Row] = [
        Row("no-store-and-lifetime", "no-store, max-age=60, private"),
        Row("public-and-private", "public, private, max-age=60"),
        Row("private-and-s-maxage", "private, s-maxage=60, max-age=60"),
        Row("no-cache-and-lifetime", "no-cache, max-age=60"),
        Row("must-revalidate-and-stale", "max-age=60, must-revalidate, stale-while-revalidate=60"),
        Row("proxy-revalidate-and-stale", "max-age=60, proxy-revalidate, stale-while-revalidate=60"),
        Row("s-maxage-and-stale", "s-maxage=60, stale-while-revalidate=60"),
        Row("s-maxage-and-stale", "max-age=10, s-maxage=60, stale-while-revalidate=60"),
        Row("misspelt-directive", "maxage=60, max-age=60"),
        Row("quoted-seconds", "max-age=\"60\""),
        Row("unquoted-field-list", "max-age=60, private=x-user"),
        Row("request-directive", "max-age=60, max-stale"),
        Row("obsolete-directive", "max-age=60, pre-check=0"),
        Row("shared-cookie", "public, max-age=60", ["Set-Cookie": "a=1"]),
        Row("must-understand-alone", "max-age=60, must-understand"),
        Row("immutable-name", "max-age=31536000, immutable"),
        Row("long-lived-page", "max-age=31536000", html),
        Row("no-store-page", "no-store", html),
        Row("short-lived-asset", "max-age=60", path: "/app-3f9a1c2d.js"),
        Row("short-lived-asset", "no-store", path: "/app-3f9a1c2d.js"),
        Row("short-lived-asset", "private, no-cache", path: "/logo-3f9a1c2d.png"),
        Row("long-lived-error", "max-age=86400", status: 404),
        Row("permanent-redirect", "", status: 301, ["Location": "/b"]),
        Row("heuristic-lifetime", "", ["Last-Modified": "Mon, 01 Jun 2026 00:00:00 GMT"]),
        Row("no-lifetime", "", html),
        Row("no-lifetime", ""),
        Row("expires-and-max-age", "max-age=60", ["Expires": "Fri, 01 Jan 2027 00:00:00 GMT"]),
        Row("expires-is-no-date", "max-age=60", ["Expires": "0"]),
        Row("coding-without-vary", "max-age=60", ["Content-Encoding": "gzip"]),
        Row("unquoted-etag", "max-age=60", ["ETag": "v1"]),
        Row("pragma-in-response", "max-age=60", ["Pragma": "no-cache"]),
    ]

    @Test("A variant that lacks Vary gets that of the others, with each field once")
    func varyOnce() {
        for vary in ["Accept-Encoding", "accept-encoding"] {
            let coded = exchange("/a", ["Vary": vary, "Content-Encoding": "gzip"])
            let fields = Correction.fields(for: "uncoded-without-vary", in: coded)
            #expect(fields.map(\.text) == ["Vary: \(vary)"])
        }
    }

    @Test(
        "Codings without Vary are found if delivery networks alone store the response, RFC 9213",
        arguments: [("max-age=60", true), ("no-store", false)]
    )
    func networks(control: String, isFound: Bool) {
        let coded = ["Cache-Control": "no-store", "CDN-Cache-Control": control, "Content-Encoding": "gzip"]
        let rules = judged(exchange("/a", coded)).findings.map(\.rule)
        #expect(rules.contains("coding-without-vary") == isFound)
    }

    @Test("What is sent with a cookie and no lifetime is for one user, RFC 9111 §7.3")
    func cookie() throws {
        let finding = judged(exchange("/me", ["Set-Cookie": "a=1", "ETag": "\"v1\""])).findings.first
        #expect(finding?.rule == "no-lifetime")
        #expect(finding?.correction.map(\.text) == ["Cache-Control: private, no-cache"])
    }

    @Test(
        "A lifetime for shared caches is kept where browsers get one, and private removes what is for sharing"
    )
    func lifetimes() {
        let rows: [(control: String, more: [String: String], corrected: String)] = [
            ("s-maxage=600", [:], "s-maxage=600, max-age=0"),
            ("private, s-maxage=600", [:], "private, no-cache"),
            ("private=\"X-User\", s-maxage=600", [:], "private=\"X-User\", s-maxage=600, max-age=0"),
            ("community=\"x\", s-maxage=600", [:], "community=\"x\", s-maxage=600, max-age=0"),
            (
                "public", ["Set-Cookie": "a=1", "Last-Modified": "Mon, 01 Jun 2026 00:00:00 GMT"],
                "private, no-cache"
            ),
        ]
        for row in rows {
            let fields = ["ETag": "\"v1\"", "Cache-Control": row.control].merging(row.more) { $1 }
            let corrected = Correction.fields(for: "no-lifetime", in: exchange("/a", fields))
            #expect(corrected.map(\.text) == ["Cache-Control: \(row.corrected)"])
        }
    }

    @Test(
        "No lifetime is proposed where a directive is malformed, misspelt or one of requests",
        arguments: [
            "max-age 60", "maxage=60, nostore", "max-stale=10, min-fresh=3", "\"max-age=60\"", "max-age=1.5",
        ]
    )
    func malformed(control: String) {
        let audited = exchange("/a", ["ETag": "\"v1\"", "Cache-Control": control])
        #expect(Correction.fields(for: "no-lifetime", in: audited).isEmpty)
    }

    @Test("A cookie is found where other shared caches would estimate a lifetime, RFC 9111 §7.3")
    func cookieWithoutLifetime() {
        let dated = ["Set-Cookie": "a=1", "Last-Modified": "Mon, 01 Jun 2026 00:00:00 GMT"]
        let rows = [
            ("", true), ("private", false), ("no-store", false), ("no-cache", false),
            ("private=\"Set-Cookie\"", false), ("no-cache=\"Set-Cookie\"", false),
            ("private=\"X-User\"", true),
        ]
        for (control, isFound) in rows {
            let fields = control.isEmpty ? dated : dated.merging(["Cache-Control": control]) { $1 }
            let rules = judged(exchange("/a", fields)).findings.map(\.rule)
            #expect(rules.contains("shared-cookie") == isFound, "\(control)")
        }
    }

    @Test("Every misspelt directive is found, and corrected, and no directive is left twice, RFC 9111 §5.2")
    func misspelt() {
        let rows = [
            ("misspelt-directive", "max_age=60, must-revalidat", "max-age=60, must-revalidate", 2),
            ("misspelt-directive", "max-age=60, nocache, no-cache", "max-age=60, no-cache", 1),
            ("no-store-and-lifetime", "max-age=60, no-store, No-Store", "no-store", 1),
        ]
        for (rule, control, corrected, count) in rows {
            let head = exchange("/a", ["Cache-Control": control, "ETag": "\"v1\""])
            let found = judged(head).findings.filter { $0.rule == rule }
            #expect(found.count == count, "\(control)")
            #expect(found.first?.correction.map(\.text) == ["Cache-Control: \(corrected)"])
        }
    }

    @Test(
        "A field whose name is a letter or hyphens away from a caching field's is misspelt, RFC 9110 §5.1; in a short one a letter must be missing, doubled or exchanged",
        arguments: [
            ("Expire", "expires"), ("E-Tag", "etag"), ("Varry", "vary"), ("Last-Modifed", "last-modified"),
            ("Cache-Controll", "cache-control"), ("Chache-Control", "cache-control"),
            ("CDN-Cache-Contol", "cdn-cache-control"), ("Cache-Contral", "cache-control"),
            ("Expries", "expires"), ("Expiress", "expires"), ("Vray", "vary"), ("ETga", "etag"),
            // Other fields of three letters, of applications, and of other delivery networks.
            ("Tag", nil), ("X-Expires", nil), ("X-Cache-Control", nil), ("Last-Modified-By", nil),
            ("Edge-Cache-Control", nil), ("Expect-CT", nil), ("Vary", nil),
            ("Expired", nil), ("Vars", nil), ("Stag", nil), ("ETags", nil), ("Expires2", nil),
        ] as [(String, String?)]
    )
    func fields(name: String, meant: String?) {
        let found = judged(exchange("/a", ["Cache-Control": "no-store", name: "1"])).findings.map(\.message)
        let sentences = found.filter { $0.hasPrefix("\(name) is not a known field") }
        #expect(sentences == (meant.map { ["\(name) is not a known field; did you mean \($0)?"] } ?? []))
    }

    @Test("A corrected response has neither the finding nor a graver one", arguments: rows)
    func corrected(_ row: Row) throws {
        let before = exchange(row.path, row.fields, status: row.status)
        let finding = try #require(judged(before).findings.first(where: { $0.rule == row.rule }))
        #expect(!finding.correction.isEmpty)
        let after = judged(Correction.applied(finding.correction, to: before)).findings
        #expect(!after.contains { $0.rule == row.rule })
        #expect(after.allSatisfy { $0.severity == .advice }, "\(after.map(\.message))")
    }
}
