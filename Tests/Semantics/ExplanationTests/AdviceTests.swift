import CacheSemantics
import Explanation
import HTTPTypes
import Metamorphic
import Testing

/// A head, the cache that receives it, and the advice that its author should or should not get.
struct AdviceRow: CustomTestStringConvertible {
    var testDescription: String
    var kind = CacheKind.private
    var targets: [HTTPField.Name] = []
    var method = HTTPRequest.Method.get
    var request: HTTPFields = [:]
    var status = 200
    var after: Int64 = 0
    let lines: [String]
    var advised: Set<String> = []
    var notAdvised: Set<String> = []

    var explanation: ExchangeExplanation {
        // 2026-01-01T12:00:00Z.
        let received = HTTPDate(secondsSinceEpoch: 1_767_268_800)
        var fields = HTTPFields(
            lines: lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return (parts[0], String((parts.count > 1 ? parts[1] : "").drop { $0 == " " }))
            }
        )
        if !fields.contains(.date) { fields[.date] = received.text }
        var exchange = ExplainedExchange(
            request: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "a.example",
                path: "/p",
                headerFields: request
            ),
            response: HTTPResponse(status: .init(code: status), headerFields: fields),
            at: received
        )
        exchange.engine.kind = kind
        exchange.engine.targets = targets
        exchange.after = .seconds(after)
        return ExchangeExplanation(exchange)
    }
}

@Suite("Advice is consistent with the decisions of the rules, RFC 9110, 9111, 9213, 9875")
struct AdviceTests {
    private static let stale = "s-maxage-and-stale"

    static let rows = [
        // Fields of which the first member or line counts.
        AdviceRow(
            testDescription: "several ages",
            lines: ["Age: 10", "Age: 20"],
            advised: ["several-ages"],
            notAdvised: ["invalid-age"]
        ),
        AdviceRow(testDescription: "a list of ages", lines: ["Age: 10, x"], notAdvised: ["invalid-age"]),
        AdviceRow(testDescription: "no age first", lines: ["Age: x, 10"], advised: ["invalid-age"]),
        AdviceRow(
            testDescription: "the same Expires twice",
            lines: ["Expires: Thu, 01 Jan 2026 13:00:00 GMT", "Expires: Thu, 01 Jan 2026 13:00:00 GMT"],
            notAdvised: ["unreadable-date", "several-expires"]
        ),
        // 2026-01-01 is a Thursday.
        AdviceRow(
            testDescription: "a wrong day of the week",
            lines: ["Expires: Fri, 01 Jan 2026 13:00:00 GMT"],
            advised: ["wrong-weekday"],
            notAdvised: ["obsolete-date", "unreadable-date"]
        ),
        AdviceRow(
            testDescription: "a leap second, and a day of the week in lower case",
            lines: ["Expires: thu, 31 Dec 2026 23:59:60 GMT"],
            notAdvised: ["wrong-weekday"]
        ),
        AdviceRow(
            testDescription: "an obsolete form with the wrong day of the week",
            lines: ["Expires: Friday, 01-Jan-26 13:00:00 GMT"],
            advised: ["obsolete-date"],
            notAdvised: ["wrong-weekday"]
        ),
        AdviceRow(
            testDescription: "the form of C with the right day of the week",
            lines: ["Expires: Thu Jan  1 13:00:00 2026"],
            advised: ["obsolete-date"],
            notAdvised: ["wrong-weekday"]
        ),
        AdviceRow(
            testDescription: "two moments of expiry",
            lines: ["Expires: Thu, 01 Jan 2026 13:00:00 GMT", "Expires: Thu, 01 Jan 2026 14:00:00 GMT"],
            advised: ["several-expires"],
            notAdvised: ["unreadable-date"]
        ),
        AdviceRow(
            testDescription: "two entity tags",
            lines: ["Cache-Control: max-age=60", "ETag: v1", "ETag: v2"],
            advised: ["repeated-field", "no-validator"],
            notAdvised: ["unquoted-etag"]
        ),
        AdviceRow(
            testDescription: "Accept-Ranges in two lines",
            lines: ["Accept-Ranges: none", "Accept-Ranges: bytes", "ETag: W/\"v\""],
            advised: ["weak-etag-and-ranges"]
        ),
        // Expires beside a value that takes precedence.
        AdviceRow(
            testDescription: "s-maxage beside a past Expires",
            kind: .shared,
            lines: ["Cache-Control: s-maxage=600", "Expires: Thu, 01 Jan 2026 12:00:00 GMT"],
            notAdvised: ["expired-at-once"]
        ),
        AdviceRow(
            testDescription: "two limits of stale use",
            lines: [
                "Cache-Control: max-age=60, stale-while-revalidate=30",
                "Cache-Control: stale-while-revalidate=5",
            ],
            advised: ["repeated-directive"]
        ),
        AdviceRow(
            testDescription: "the same limit of stale use twice, and another one for errors",
            lines: [
                "Cache-Control: max-age=60, stale-if-error=30, stale-if-error=30, stale-while-revalidate=5"
            ],
            notAdvised: ["repeated-directive"]
        ),
        AdviceRow(
            testDescription: "two limits of stale use in a structured field, which has the last one",
            targets: [.cdnCacheControl],
            lines: ["CDN-Cache-Control: max-age=60, stale-if-error=30, stale-if-error=5"],
            notAdvised: ["repeated-directive"]
        ),
        // Directives that agree with no-store.
        AdviceRow(
            testDescription: "no-store beside private and a lifetime of zero",
            lines: ["Cache-Control: private, no-store, max-age=0, no-cache, must-revalidate"],
            notAdvised: ["no-store-and-lifetime"]
        ),
        AdviceRow(
            testDescription: "no-store beside a lifetime",
            lines: ["Cache-Control: private, no-store, max-age=1"],
            advised: ["no-store-and-lifetime"]
        ),
        // Directives that a targeted field replaces.
        AdviceRow(
            testDescription: "a targeted field in place of no-store",
            targets: [.cdnCacheControl],
            lines: ["Cache-Control: no-store, max-age=60", "CDN-Cache-Control: max-age=60"],
            notAdvised: ["no-store-and-lifetime"]
        ),
        AdviceRow(
            testDescription: "contradictions within a targeted field",
            targets: [.cdnCacheControl],
            lines: ["Cache-Control: max-age=60", "CDN-Cache-Control: no-store, max-age=60"],
            advised: ["no-store-and-lifetime"]
        ),
        // Stale use that another directive forbids.
        AdviceRow(
            testDescription: "s-maxage and stale-while-revalidate in a shared cache",
            kind: .shared,
            lines: ["Cache-Control: s-maxage=60, stale-while-revalidate=30"],
            advised: [stale]
        ),
        AdviceRow(
            testDescription: "s-maxage and stale-while-revalidate in a private cache",
            lines: ["Cache-Control: s-maxage=60, max-age=6, stale-while-revalidate=30"],
            notAdvised: [stale]
        ),
        AdviceRow(
            testDescription: "proxy-revalidate and stale-if-error",
            kind: .shared,
            lines: ["Cache-Control: max-age=60, proxy-revalidate, stale-if-error=30"],
            advised: ["proxy-revalidate-and-stale"]
        ),
        AdviceRow(
            testDescription: "s-maxage of a targeted field",
            kind: .shared,
            targets: [.cdnCacheControl],
            lines: [
                "Cache-Control: max-age=60",
                "CDN-Cache-Control: s-maxage=60, stale-if-error=30, stale-while-revalidate=9",
            ],
            advised: [stale]
        ),
        AdviceRow(
            testDescription: "no-cache and stale-if-error",
            lines: ["Cache-Control: no-cache, stale-if-error=30"],
            advised: ["no-cache-and-lifetime"]
        ),
        // Responses that a shared cache serves to all users.
        AdviceRow(
            testDescription: "a cookie with max-age",
            kind: .shared,
            lines: ["Cache-Control: max-age=60", "Set-Cookie: a=b"],
            advised: ["shared-cookie"]
        ),
        AdviceRow(
            testDescription: "a cookie that is kept out by name",
            kind: .shared,
            lines: ["Cache-Control: max-age=60, no-cache=\"Set-Cookie\"", "Set-Cookie: a=b"],
            notAdvised: ["shared-cookie"]
        ),
        AdviceRow(
            testDescription: "a cookie in a private response",
            lines: ["Cache-Control: private, max-age=60", "Set-Cookie: a=b"],
            notAdvised: ["shared-cookie"]
        ),
        AdviceRow(
            testDescription: "a cookie of a response that nobody uses again",
            kind: .shared,
            lines: ["Set-Cookie: a=b"],
            notAdvised: ["shared-cookie"]
        ),
        AdviceRow(
            testDescription: "credentials and s-maxage",
            kind: .shared,
            request: [.authorization: "Basic YTpi"],
            lines: ["Cache-Control: s-maxage=60"],
            advised: ["public-with-authorization"]
        ),
        AdviceRow(
            testDescription: "public beside private",
            request: [.authorization: "Basic YTpi"],
            lines: ["Cache-Control: public, private, max-age=60"],
            notAdvised: ["public-with-authorization"]
        ),
        // The spelling of fields.
        AdviceRow(
            testDescription: "quoted seconds",
            lines: ["Cache-Control: max-age=\"60\", stale-if-error=\"9\""],
            advised: ["quoted-seconds"],
            notAdvised: ["invalid-seconds"]
        ),
        AdviceRow(
            testDescription: "a directive in quotes",
            lines: ["Cache-Control: \"no-store\", max-age=60"],
            advised: ["quoted-directive"]
        ),
        AdviceRow(
            testDescription: "an unclosed quote",
            lines: ["Cache-Control: max-age=60, ext=\"a, private, no-store"],
            advised: ["unclosed-quote"]
        ),
        AdviceRow(
            testDescription: "an escaped quote and one that is closed",
            lines: ["Cache-Control: max-age=60, ext=\"a\\\" b\""],
            notAdvised: ["unclosed-quote", "quoted-directive"]
        ),
        AdviceRow(
            testDescription: "a field name without quotes",
            lines: ["Cache-Control: max-age=60, private=Set-Cookie"],
            advised: ["unquoted-field-list"]
        ),
        AdviceRow(
            testDescription: "a targeted field with capital letters",
            lines: ["CDN-Cache-Control: Max-Age=60"],
            advised: ["unparsable-field"]
        ),
        AdviceRow(
            testDescription: "types that a targeted field must not have",
            lines: ["CDN-Cache-Control: max-age=\"60\""],
            advised: ["mistyped-member"],
            notAdvised: ["unparsable-field"]
        ),
        AdviceRow(
            testDescription: "a targeted private with a token",
            lines: ["Example-CDN-Cache-Control: private=set-cookie"],
            advised: ["mistyped-member"]
        ),
        AdviceRow(
            testDescription: "a targeted field that is well-formed",
            lines: ["CDN-Cache-Control: max-age=60, no-cache=\"Set-Cookie\", must-revalidate, unknown=?0"],
            notAdvised: ["mistyped-member", "unparsable-field"]
        ),
        AdviceRow(
            testDescription: "groups that are no strings",
            lines: ["Cache-Groups: scripts"],
            advised: ["mistyped-member"]
        ),
        AdviceRow(
            testDescription: "a No-Vary-Search that does not parse",
            lines: ["No-Vary-Search: params=(x"],
            advised: ["unparsable-field"]
        ),
        AdviceRow(
            testDescription: "a No-Vary-Search of earlier drafts",
            lines: ["No-Vary-Search: params, except=(\"x\")"],
            advised: ["earlier-no-vary-search"]
        ),
        AdviceRow(
            testDescription: "a No-Vary-Search that the algorithm of the current draft ignores",
            lines: ["No-Vary-Search: key-order"],
            advised: ["earlier-no-vary-search"]
        ),
        AdviceRow(
            testDescription: "a No-Vary-Search that earlier drafts ignore",
            lines: ["No-Vary-Search: except=(\"x\")"],
            advised: ["current-no-vary-search"]
        ),
        AdviceRow(
            testDescription: "a No-Vary-Search that all drafts read alike",
            lines: ["No-Vary-Search: key-order, params=(\"x\")"],
            advised: [],
            notAdvised: ["current-no-vary-search", "earlier-no-vary-search", "mistyped-member"]
        ),
        // Vary concerns only what a cache stores, and other clients only what a shared cache stores (§3, §4.1).
        AdviceRow(
            testDescription: "coded content without Vary, for a shared cache",
            kind: .shared,
            lines: ["Cache-Control: max-age=60", "Content-Encoding: gzip"],
            advised: ["coding-without-vary"]
        ),
        AdviceRow(
            testDescription: "coded content without Vary, for one user",
            lines: ["Cache-Control: private, max-age=60", "Content-Encoding: gzip"],
            notAdvised: ["coding-without-vary"]
        ),
        AdviceRow(
            testDescription: "coded content without Vary that no cache stores",
            lines: ["Cache-Control: no-store", "Content-Encoding: gzip"],
            notAdvised: ["coding-without-vary"]
        ),
        AdviceRow(
            testDescription: "Vary: Cookie for one user",
            lines: ["Cache-Control: private, no-cache", "Vary: Cookie"],
            notAdvised: ["vary-scatters"]
        ),
        AdviceRow(
            testDescription: "Vary: * that no cache stores",
            lines: ["Cache-Control: no-store", "Vary: *"],
            notAdvised: ["vary-star"]
        ),
        AdviceRow(
            testDescription: "Expires: 0 beside no-store",
            lines: ["Cache-Control: no-store", "Expires: 0"],
            notAdvised: ["expires-is-no-date"]
        ),
        AdviceRow(
            testDescription: "coded content without Vary, for a targeted cache alone",
            kind: .shared,
            targets: [.cdnCacheControl],
            lines: ["Cache-Control: no-store", "CDN-Cache-Control: max-age=60", "Content-Encoding: gzip"],
            advised: ["coding-without-vary"]
        ),
        // Cache groups.
        AdviceRow(
            testDescription: "groups invalidated by a GET",
            lines: ["Cache-Group-Invalidation: \"a\""],
            advised: ["group-invalidation-of-safe"]
        ),
        AdviceRow(
            testDescription: "groups invalidated by a POST",
            method: .post,
            lines: ["Cache-Group-Invalidation: \"a\""],
            notAdvised: ["group-invalidation-of-safe", "mistyped-member"]
        ),
        AdviceRow(
            testDescription: "a POST that invalidates no strings",
            method: .post,
            lines: ["Cache-Group-Invalidation: a"],
            advised: ["mistyped-member"]
        ),
        // Status codes.
        AdviceRow(
            testDescription: "999",
            status: 999,
            lines: ["Cache-Control: max-age=60"],
            advised: ["invalid-status"]
        ),
        AdviceRow(
            testDescription: "599",
            status: 599,
            lines: ["Cache-Control: max-age=60"],
            advised: ["unknown-status"],
            notAdvised: ["invalid-status"]
        ),
        AdviceRow(testDescription: "503", status: 503, lines: [], notAdvised: ["unknown-status"]),
    ]

    @Test(
        "A head gets the advice that follows from the cache's behaviour, and none that contradicts it",
        arguments: rows
    )
    func advice(row: AdviceRow) {
        let ids = Set(row.explanation.advice.map(\.id))
        #expect(ids.isSuperset(of: row.advised), "\(ids)")
        #expect(ids.isDisjoint(with: row.notAdvised), "\(ids)")
    }

    @Test(
        "Advice against Vary: * is based on the cache's behaviour",
        arguments: [("ETag: \"v\"", "validate every use"), ("X: y", "prevents caches from ever using")]
    )
    func varyStar(line: String, effect: String) throws {
        let row = AdviceRow(testDescription: "", lines: ["Cache-Control: max-age=60", "Vary: *", line])
        let advice = try #require(row.explanation.advice.first { $0.id == "vary-star" })
        #expect(advice.sentence.contains(effect))
    }

    @Test(
        "A status code above 599 is not stored, and those of HTTP are as before, RFC 9110 §15",
        arguments: [200, 599, 600, 999]
    )
    func invalidStatus(code: Int) {
        let row = AdviceRow(testDescription: "", status: code, lines: ["Cache-Control: max-age=60"])
        #expect(row.explanation.isStorable == (code < 600))
    }

    @Test("stale-if-error limits how long a response is used while the origin cannot be reached, RFC 5861 §4")
    func unreachable() {
        let limited = AdviceRow(testDescription: "", lines: ["Cache-Control: max-age=60, stale-if-error=30"])
        let claims = limited.explanation.statements.map(\.claim)
        #expect(claims.contains(.stale(.unreachable, upTo: 30, hasPassed: false)))
        #expect(claims.contains(.stale(.insteadOfError, upTo: 30, hasPassed: false)))
        let free = AdviceRow(testDescription: "", lines: ["Cache-Control: max-age=60"])
        let unlimited = free.explanation.statements.map(\.claim)
        #expect(unlimited.contains(.stale(.unreachable, upTo: nil, hasPassed: false)))
    }

    @Test("A window of stale use that has passed is reported as such", arguments: [90, 91])
    func passed(after seconds: Int64) throws {
        let row = AdviceRow(
            testDescription: "",
            after: seconds,
            lines: ["Cache-Control: max-age=60, stale-if-error=30"]
        )
        let sentences = row.explanation.statements.map(\.sentence)
        let sentence = try #require(sentences.first { $0.hasPrefix("While the origin cannot") })
        #expect(sentence.hasSuffix("for 30 s, which have passed.") == (seconds > 90))
    }

    @Test("A response read from the store gets no advice as if it were new")
    func readBack() {
        let received = HTTPDate(secondsSinceEpoch: 1_767_268_800)
        let request = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/p")
        let stored = StoredResponse(
            key: CacheEngine().key(for: request),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(
                status: .ok,
                headerFields: [.date: received.text, .cacheControl: "max-age=60", .eTag: "\"v\""]
            ),
            requestTime: received,
            responseTime: received
        )
        let explanation = ExchangeExplanation(
            request,
            among: [stored],
            engine: CacheEngine(),
            now: received.advanced(by: 90)
        )
        #expect(explanation.advice.isEmpty)
        #expect(explanation.age?.sum == 90)
    }
}

@Suite("The next request and No-Vary-Search, draft-ietf-httpbis-no-vary-search")
struct NextRequestTests {
    @Test(
        "A stored response answers the queries that No-Vary-Search makes equal, and no others",
        arguments: [
            ("/p?x=1", ExchangeExplanation.Outcome.served), ("/p?a=1&x=2", .forwarded),
            ("/p?x=3&x=4", .served),
            ("/q", .forwarded),
        ]
    )
    func query(path: String, outcome: ExchangeExplanation.Outcome) throws {
        let name = try #require(HTTPField.Name("No-Vary-Search"))
        let request = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/p")
        let received = HTTPDate(secondsSinceEpoch: 1_767_268_800)
        var exchange = ExplainedExchange(
            request: request,
            response: HTTPResponse(
                status: .ok,
                headerFields: [.date: received.text, .cacheControl: "max-age=60", name: "params=(\"x\")"]
            ),
            at: received
        )
        exchange.next = request
        exchange.next?.path = path
        let explanation = ExchangeExplanation(exchange)
        #expect(explanation.outcome == outcome)
        #expect(explanation.findings.contains { $0.rule == .searchIgnored } == (outcome == .served))
    }
}
