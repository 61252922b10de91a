import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("Entries that a full response replaces, RFC 9111 §3 and §4.3.3")
struct ReloadTests {
    private static let plain = stored("Cache-Control: max-age=600", date: 50)
    private static let varied = stored(
        "Cache-Control: max-age=600",
        "Vary: Foo",
        date: 60,
        asked: request("Foo: 1")
    )
    private static let other = stored("Cache-Control: max-age=600", "Vary: Foo", asked: request("Foo: 2"))

    @Test(
        "The response to a reload removes all variants that the request would select, whatever their Date",
        .checks("rfc9111.3.replaces"),
        arguments: [
            ("Cache-Control: no-cache", .useProtocolCachePolicy),
            ("Pragma: no-cache", .useProtocolCachePolicy),
            ("Cache-Control: max-age=0", .useProtocolCachePolicy), ("X: 1", .reloadIgnoringLocalCacheData),
            ("X: 1", .reloadIgnoringLocalAndRemoteCacheData), ("X: 1", .reloadRevalidatingCacheData),
        ] as [(String, RequestCachePolicy)],
        [["Cache-Control: max-age=60", "Vary: Bar"], ["Cache-Control: no-store"]]
    )
    func removes(asked: (String, RequestCachePolicy), lines: [String]) {
        let settlement = CacheEngine().exchange(
            request("Foo: 1", asked.0),
            [Self.plain, Self.varied, Self.other],
            policy: asked.1,
            at: 10,
            response(lines: lines, date: -100)
        )
        #expect(Set(settlement.removed) == [Self.plain.variant, Self.varied.variant])
        #expect((settlement.put != nil) == (lines.count == 2))
    }

    @Test(
        "A server error covered by stale-if-error replaces nothing",
        .checks("rfc5861.4.kept"),
        arguments: [
            ("max-age=60, stale-if-error=600", 503, false), ("max-age=60, stale-if-error=600", 404, true),
            ("max-age=60", 503, true), ("max-age=60, stale-if-error=0", 503, true),
            ("max-age=60, stale-if-error=600, must-revalidate", 503, true),
            ("max-age=60, stale-if-error=30", 503, true),
        ] as [(String, Int, Bool)]
    )
    func serverError(directives: String, status: Int, replaces: Bool) {
        let settlement = CacheEngine().exchange(
            request("Cache-Control: no-cache"),
            [stored("Cache-Control: \(directives)")],
            at: 100,
            response("Cache-Control: max-age=10", status: status, date: 100)
        )
        #expect(Settled(settlement) == .origin(status))
        #expect((settlement.put != nil) == replaces)
        #expect(settlement.removed.isEmpty)
    }
}

@Suite("Windows of zero seconds, RFC 5861")
struct EmptyWindowTests {
    @Test(
        "A window of 0 s permits no stale use, not even at the second at which the response becomes stale",
        .checks("rfc5861.3.past-window", "rfc5861.4.past-window"),
        arguments: [0, 60]
    )
    func empty(lifetime: Int64) {
        let directives = "max-age=\(lifetime), stale-while-revalidate=0, stale-if-error=0"
        let entry = stored("Cache-Control: \(directives)", "ETag: \"v\"")
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: lifetime)) == .validate)
        let error = CacheEngine().exchange(request(), [entry], at: lifetime, response(status: 503))
        #expect(Settled(error) == .origin(503))
        let planned = CacheEngine().plan(request(), [entry], at: lifetime)
        let reply = OriginReply.failure(requestTime: at(lifetime), responseTime: at(lifetime))
        #expect(Settled(CacheEngine().settle(planned, reply: reply)) == .gatewayTimeout)
    }

    @Test("The request's stale-if-error=0 permits none either, and leaves a fresh response usable")
    func ofRequest() {
        let entry = stored("Cache-Control: max-age=60, stale-if-error=600")
        let asking = request("Cache-Control: stale-if-error=0, no-cache")
        let stale = CacheEngine().exchange(asking, [entry], at: 60, response(status: 503))
        #expect(Settled(stale) == .origin(503))
        let fresh = CacheEngine().exchange(asking, [entry], at: 59, response(status: 503))
        #expect(Settled(fresh) == .stored(age: 59, isStale: false))
    }
}

@Suite("Limits of heuristic freshness, RFC 9111 §4.2.2")
struct HeuristicLimitTests {
    private static let year = "Last-Modified: Wed, 01 Jan 2025 00:00:00 GMT"

    @Test(
        "A heuristic lifetime has the engine's limit, and errors a lower one",
        .checks("rfc9111.4.2.2.limit"),
        arguments: [
            (200, 86_400, 86_400), (301, 86_400, 86_400), (404, 86_400, 300), (410, 86_400, 300),
            (501, 86_400, 300), (200, 60, 60), (404, 60, 60),
        ] as [(Int, Int64, Int64)]
    )
    func limits(status: Int, limit: Int64, lifetime: Int64) {
        var engine = CacheEngine()
        engine.heuristicLimit = .seconds(limit)
        let terms = engine.lifetimeTerms(of: stored(Self.year, status: status))
        #expect(terms.seconds == lifetime)
        #expect(terms.source == .heuristic)
        #expect(terms.rule == .heuristicLimited)
    }

    @Test("A limit of any length is the longest that can be counted")
    func longLimit() {
        var engine = CacheEngine()
        engine.heuristicLimit = .seconds(Int64.max) * 18
        engine.heuristicErrorLimit = .seconds(Int64.min) * 18
        #expect(engine.heuristicLimit == .seconds(Int64.max))
        #expect(engine.heuristicErrorLimit == .seconds(Int64.min))
    }

    @Test("A lifetime below the limits, and an explicit one above them, are not changed")
    func unlimited() {
        let recent = stored("Last-Modified: Wed, 31 Dec 2025 23:59:00 GMT", status: 404)
        #expect(CacheEngine().lifetimeTerms(of: recent).seconds == 6)
        let explicit = stored("Cache-Control: max-age=9999999", Self.year, status: 404)
        #expect(CacheEngine().lifetimeTerms(of: explicit).seconds == 9_999_999)
    }

    @Test(
        "A shared cache stores no response with Set-Cookie unless it is marked as cacheable",
        .checks("rfc9111.7.3.set-cookie"),
        arguments: [
            (.shared, [year], false), (.private, [year], true),
            (.shared, ["Cache-Control: max-age=60"], true),
            (.shared, ["Cache-Control: public", year], true),
            (.shared, ["Expires: Fri, 01 Jan 2027 00:00:00 GMT"], true),
            (.shared, [], false), (.shared, ["Cache-Control: must-revalidate"], false),
        ] as [(CacheKind, [String], Bool)]
    )
    func setCookie(kind: CacheKind, lines: [String], isStored: Bool) {
        let answer = response(lines: lines + ["Set-Cookie: sid=1"])
        #expect((CacheEngine(kind: kind).exchange(request(), answer).put != nil) == isStored)
    }
}
