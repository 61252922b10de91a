import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Request directives, RFC 9111 §5.2.1")
struct RequestDirectiveTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let asks: [String]
        let response: [String]
        let second: Int64
        let outcome: Outcome
        let reason: ForwardReason?

        init(
            _ asks: [String],
            _ response: [String],
            _ second: Int64,
            _ outcome: Outcome,
            _ reason: ForwardReason? = nil
        ) {
            testDescription = "\(asks) on \(response) at \(second) s"
            self.asks = asks
            self.response = response
            self.second = second
            self.outcome = outcome
            self.reason = reason
        }
    }

    private static let hour = ["Cache-Control: max-age=3600", "ETag: \"v1\""]
    private static let minute = ["Cache-Control: max-age=60", "ETag: \"v1\""]
    private static let strict = ["Cache-Control: max-age=60, must-revalidate", "ETag: \"v1\""]

    static let rows = [
        Row(["Cache-Control: max-age=30"], hour, 30, .fresh(age: 30)),
        Row(["Cache-Control: max-age=30"], hour, 31, .validate, .request),
        Row(["Cache-Control: max-age=0"], hour, 1, .validate, .request),
        Row(["Cache-Control: max-age=x"], hour, 1, .validate, .request),
        Row(["Cache-Control: max-age=99"], minute, 70, .validate, .stale),
        Row(["Cache-Control: max-age=99, max-stale=20"], minute, 70, .stale(age: 70, revalidates: false)),
        Row(["Cache-Control: max-age=65, max-stale=20"], minute, 70, .validate, .stale),
        Row(["Cache-Control: max-stale=10"], minute, 70, .stale(age: 70, revalidates: false)),
        Row(["Cache-Control: max-stale=10"], minute, 71, .validate, .stale),
        Row(["Cache-Control: max-stale"], minute, 999_999, .stale(age: 999_999, revalidates: false)),
        Row(["Cache-Control: max-stale=x"], minute, 70, .validate, .stale),
        Row(["Cache-Control: max-stale"], strict, 70, .validate, .stale),
        Row(["Cache-Control: min-fresh=30"], minute, 30, .fresh(age: 30)),
        Row(["Cache-Control: min-fresh=30"], minute, 31, .validate, .request),
        Row(["Cache-Control: no-cache"], hour, 1, .validate, .request),
        Row(["Pragma: no-cache"], hour, 1, .validate, .request),
        Row(["Pragma: no-cache", "Cache-Control: max-age=60"], hour, 1, .fresh(age: 1)),
        Row(["Pragma: other"], hour, 1, .fresh(age: 1)),
        Row(["Cache-Control: no-store"], hour, 1, .fresh(age: 1)),
        Row(["Cache-Control: no-transform"], hour, 1, .fresh(age: 1)),
        Row(["Cache-Control: only-if-cached"], hour, 1, .fresh(age: 1)),
        Row(["Cache-Control: only-if-cached"], minute, 61, .gatewayTimeout, .stale),
        Row(["Cache-Control: only-if-cached, max-stale"], minute, 61, .stale(age: 61, revalidates: false)),
        Row(["Cache-Control: unknown=1, foo"], hour, 1, .fresh(age: 1)),
    ]

    @Test(
        "A request's directives restrict or extend the reuse of responses",
        .checks(
            "rfc9111.5.2.1.1.max-age",
            "rfc9111.5.2.1.2.max-stale",
            "rfc9111.5.2.1.2.max-stale-any",
            "rfc9111.5.2.1.3.min-fresh",
            "rfc9111.5.2.1.4.no-cache",
            "rfc9111.5.2.1.5.hit",
            "rfc9111.5.2.1.7.only-if-cached",
            "rfc9111.5.4.pragma",
            "rfc9111.5.2.unknown",
            "rfc9211.2.2.request",
            "rfc9211.2.2.stale",
            "rfc9111.4.fresh-or-allowed",
            "rfc9211.2.1.hit"
        ),
        arguments: rows
    )
    func directives(row: Row) {
        var asking = request()
        asking.headerFields = fields(row.asks)
        let entry = CacheEngine().exchange(response(lines: row.response)).put
        let planned = CacheEngine().plan(asking, entry.map { [$0] } ?? [], at: row.second)
        #expect(Outcome(planned) == row.outcome)
        #expect(planned.forwardReason == row.reason)
    }

    @Test(
        "only-if-cached without a stored response results in 504",
        .checks("rfc9111.5.2.1.7.only-if-cached")
    )
    func onlyIfCachedMiss() {
        let planned = CacheEngine().plan(request("Cache-Control: only-if-cached"), [], at: 0)
        #expect(Outcome(planned) == .gatewayTimeout)
        #expect(planned.held(.requestOnlyIfCached) == false)
    }
}

@Suite("Serving stale, RFC 9111 §4.2.4 and RFC 5861")
struct StaleTests {
    @Test(
        "Directives that forbid a stale response take precedence over those that allow it",
        .checks(
            "rfc9111.4.2.4.forbidden",
            "rfc9111.5.2.2.2.must-revalidate",
            "rfc9111.5.2.2.8.proxy-revalidate",
            "rfc9111.5.2.2.10.s-maxage",
            "rfc9111.5.2.2.4.no-cache",
            "rfc9111.4.no-cache"
        ),
        arguments: [
            ("max-age=60, must-revalidate", CacheKind.private, false),
            ("max-age=60, must-revalidate", .shared, false),
            ("max-age=60, proxy-revalidate", .private, true),
            ("max-age=60, proxy-revalidate", .shared, false),
            ("max-age=60, s-maxage=60", .private, true), ("s-maxage=60", .shared, false),
            ("max-age=60, no-cache", .private, false), ("max-age=60", .shared, true),
        ]
    )
    func forbidden(control: String, kind: CacheKind, isUsed: Bool) {
        let engine = CacheEngine(kind: kind)
        let entry = stored("Cache-Control: \(control)", "ETag: \"v1\"")
        let planned = engine.plan(request("Cache-Control: max-stale"), [entry], at: 70)
        #expect(Outcome(planned) == (isUsed ? .stale(age: 70, revalidates: false) : .validate))
        let lost = engine.failure(request(), [entry], at: 70)
        #expect(Settled(lost) == (isUsed ? .stored(age: 70, isStale: true) : .gatewayTimeout))
    }

    @Test("must-revalidate has no effect while the response is fresh")
    func mustRevalidateFresh() {
        let entry = stored("Cache-Control: max-age=60, must-revalidate")
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: 59)) == .fresh(age: 59))
    }

    @Test(
        "stale-while-revalidate allows a stale response while it is validated, up to its last second",
        .checks("rfc5861.3.window", "rfc5861.3.background", "rfc5861.3.past-window"),
        arguments: [
            (59, Outcome.fresh(age: 59)), (60, .stale(age: 60, revalidates: true)),
            (90, .stale(age: 90, revalidates: true)), (91, .validate),
        ] as [(Int64, Outcome)]
    )
    func staleWhileRevalidate(second: Int64, outcome: Outcome) {
        let entry = stored("Cache-Control: max-age=60, stale-while-revalidate=30", "ETag: \"v1\"")
        let planned = CacheEngine().plan(request(), [entry], at: second)
        #expect(Outcome(planned) == outcome)
        if second == 90 { #expect(planned.sent?.headerFields[.ifNoneMatch] == "\"v1\"") }
    }

    @Test(
        "A window of one second ends with that second",
        .checks("rfc5861.3.window", "rfc5861.3.past-window"),
        arguments: [
            (60, Outcome.stale(age: 60, revalidates: true)), (61, .stale(age: 61, revalidates: true)),
            (62, .validate),
        ] as [(Int64, Outcome)]
    )
    func shortestWindow(second: Int64, outcome: Outcome) {
        let entry = stored("Cache-Control: max-age=60, stale-while-revalidate=1", "ETag: \"v1\"")
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: second)) == outcome)
    }

    @Test(
        "stale-while-revalidate yields to must-revalidate and to the request",
        arguments: [
            ("max-age=60, stale-while-revalidate=30, must-revalidate", ""),
            ("max-age=60, stale-while-revalidate=30", "no-cache"),
            ("max-age=60, stale-while-revalidate=30", "max-age=90"),
            ("max-age=60, stale-while-revalidate=30", "min-fresh=1"),
            ("max-age=60, stale-while-revalidate=30", "max-stale=5"),
            ("max-age=60, stale-while-revalidate=x", ""),
        ]
    )
    func staleWhileRevalidateForbidden(control: String, asks: String) {
        let entry = stored("Cache-Control: \(control)", "ETag: \"v1\"")
        #expect(Outcome(CacheEngine().plan(request("Cache-Control: \(asks)"), [entry], at: 70)) == .validate)
    }

    @Test("The response to a background validation freshens the stored response")
    func backgroundIsSettled() {
        let entry = stored("Cache-Control: max-age=60, stale-while-revalidate=30", "ETag: \"v1\"")
        let settlement = CacheEngine().exchange(
            request(),
            [entry],
            at: 70,
            response("ETag: \"v1\"", status: 304, date: 70)
        )
        #expect(settlement.freshened.count == 1)
        #expect(Settled(settlement) == .validated(age: "0"))
    }

    struct ErrorRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let asks: String
        let control: String
        let status: Int?
        let settled: Settled

        init(_ asks: String, _ control: String, _ status: Int?, _ settled: Settled) {
            testDescription =
                "request \(asks), response \(control), \(status.map(String.init) ?? "unreachable")"
            self.asks = asks
            self.control = control
            self.status = status
            self.settled = settled
        }
    }

    /// All at second 70: the response has been stale for 10 s.
    static let errors = [
        ErrorRow("", "max-age=60, stale-if-error=10", 500, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 502, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 503, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 504, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 501, .origin(501)),
        ErrorRow("", "max-age=60, stale-if-error=10", 508, .origin(508)),
        // RFC 9110 §15: an unregistered code of a class counts as its x00 code, here 500, and so does one outside the
        // classes.
        ErrorRow("", "max-age=60, stale-if-error=10", 520, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 599, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 999, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=60, stale-if-error=10", 404, .origin(404)),
        ErrorRow("", "max-age=60, stale-if-error=10", nil, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=69, stale-if-error=1", 503, .stored(age: 70, isStale: true)),
        ErrorRow("", "max-age=68, stale-if-error=1", 503, .origin(503)),
        ErrorRow("", "max-age=60, stale-if-error=9", 503, .origin(503)),
        ErrorRow("", "max-age=60, stale-if-error=9", nil, .gatewayTimeout),
        ErrorRow("stale-if-error=10", "max-age=60", 503, .stored(age: 70, isStale: true)),
        ErrorRow("stale-if-error=9", "max-age=60", 503, .origin(503)),
        ErrorRow("stale-if-error=99", "max-age=60, must-revalidate", 503, .origin(503)),
        ErrorRow("", "max-age=60, stale-if-error=99, must-revalidate", 503, .origin(503)),
        ErrorRow("", "max-age=60, stale-if-error=99, must-revalidate", nil, .gatewayTimeout),
        ErrorRow("", "max-age=60, stale-if-error=99, no-cache", nil, .gatewayTimeout),
        ErrorRow("", "max-age=60", 503, .origin(503)),
        ErrorRow("", "max-age=60", nil, .stored(age: 70, isStale: true)),
        ErrorRow("no-cache", "max-age=60", nil, .gatewayTimeout),
        ErrorRow("no-cache, stale-if-error=99", "max-age=60", nil, .stored(age: 70, isStale: true)),
        ErrorRow("max-age=99", "max-age=60", nil, .gatewayTimeout),
        ErrorRow("min-fresh=1", "max-age=60", nil, .gatewayTimeout),
        ErrorRow("max-stale=5", "max-age=60", nil, .gatewayTimeout),
    ]

    @Test(
        "Instead of an error the stored response is used if that is allowed",
        .checks(
            "rfc5861.4.response",
            "rfc5861.4.request",
            "rfc5861.4.past-window",
            "rfc5861.4.errors",
            "rfc9111.4.2.4.allowed",
            "rfc9111.4.2.4.disconnected",
            "rfc9111.4.3.3.server-error",
            "rfc9111.5.2.2.2.gateway-timeout"
        ),
        arguments: errors
    )
    func onError(row: ErrorRow) {
        let entry = stored("Cache-Control: \(row.control)", "ETag: \"v1\"")
        let asking = request("Cache-Control: \(row.asks)")
        let settlement =
            row.status.map { CacheEngine().exchange(asking, [entry], at: 70, response(status: $0)) }
            ?? CacheEngine().failure(asking, [entry], at: 70)
        #expect(Settled(settlement) == row.settled)
    }

    @Test(
        "An engine that does not use stale responses while disconnected uses those that are fresh or permitted",
        .checks("rfc9111.4.2.4.allowed"),
        arguments: [
            ("", "max-age=60", 70, .unanswered), ("", "max-age=60", 60, .unanswered),
            ("", "max-age=60", 59, .stored(age: 59, isStale: false)),
            ("max-stale=10", "max-age=60", 70, .stored(age: 70, isStale: true)),
            ("", "max-age=60, stale-if-error=10", 70, .stored(age: 70, isStale: true)),
            ("", "max-age=60, stale-if-error=9", 70, .gatewayTimeout),
            ("", "max-age=60, must-revalidate", 70, .gatewayTimeout),
        ] as [(String, String, Int64, Settled)]
    )
    func withoutStaleUse(asks: String, control: String, at now: Int64, settled: Settled) {
        var engine = CacheEngine()
        engine.usesStaleWhenDisconnected = false
        let entry = stored("Cache-Control: \(control)", "ETag: \"v1\"")
        let settlement = engine.failure(request("Cache-Control: \(asks)"), [entry], at: now)
        #expect(Settled(settlement) == settled)
    }

    @Test(
        "A 504 is attributed to must-revalidate only if that forbids the stale response",
        .checks("rfc9111.5.2.2.2.gateway-timeout"),
        arguments: [
            ("", "max-age=60, must-revalidate", 70, true),
            ("no-cache", "max-age=60, must-revalidate", 10, false),
            ("no-cache", "max-age=60", 10, false), ("max-stale=5", "max-age=60", 70, false),
        ]
    )
    func gatewayTimeoutFinding(asks: String, control: String, at now: Int64, isNoted: Bool) {
        let entry = stored("Cache-Control: \(control)", "ETag: \"v1\"")
        let settlement = CacheEngine().failure(request("Cache-Control: \(asks)"), [entry], at: now)
        #expect(Settled(settlement) == .gatewayTimeout)
        #expect(settlement.findings.contains { $0.rule == .responseMustRevalidateFailed } == isNoted)
    }

    @Test(
        "A server error replaces the stored response that may not be served, unless its stale-if-error may serve it later",
        .checks("rfc5861.4.kept"),
        arguments: [
            ("max-age=60, stale-if-error=10", 59, false), ("max-age=60, stale-if-error=10", 70, false),
            ("max-age=60, stale-if-error=10", 71, true), ("max-age=60, stale-if-error=1", 61, false),
            ("max-age=60, stale-if-error=1", 62, true), ("max-age=60, stale-if-error=0", 60, true),
            ("max-age=60", 60, true), ("max-age=60, stale-if-error=10, must-revalidate", 70, true),
        ]
    )
    func keptOnError(control: String, at now: Int64, isReplaced: Bool) {
        let entry = stored("Cache-Control: \(control)", "ETag: \"v1\"")
        let settlement = CacheEngine().exchange(
            request("Cache-Control: no-cache"),
            [entry],
            at: now,
            response("Cache-Control: max-age=60", status: 503, date: now)
        )
        #expect(Settled(settlement) == .origin(503))
        #expect((settlement.put != nil) == isReplaced)
    }

    @Test(
        "Without the origin a response is used that is fresh, unless no-cache or a clock that was set back forbids it",
        .checks("rfc9111.5.2.2.4.no-cache", "rfc9111.4.2.4.forbidden"),
        arguments: [
            ("", "no-cache, max-age=60", 110, .gatewayTimeout),
            ("", "no-cache, max-age=60, stale-if-error=60", 110, .gatewayTimeout),
            // Stored at 100 s, on a clock that is behind since.
            ("", "max-age=60", 50, .stored(age: 0, isStale: false)),
            ("max-age=60", "max-age=60", 50, .stored(age: 0, isStale: false)),
            ("max-stale=5", "max-age=60", 50, .stored(age: 0, isStale: false)),
            ("", "max-age=60, must-revalidate", 50, .gatewayTimeout),
        ] as [(String, String, Int64, Settled)]
    )
    func freshWithoutOrigin(asks: String, control: String, at now: Int64, settled: Settled) {
        let entry = stored("Cache-Control: \(control)", date: 100, sent: 100, received: 100)
        let settlement = CacheEngine().failure(request("Cache-Control: \(asks)"), [entry], at: now)
        #expect(Settled(settlement) == settled)
    }

    @Test("Without a stored response the transport's error is returned")
    func nothingStored() {
        #expect(Settled(CacheEngine().failure(request(), [], at: 0)) == .unanswered)
    }

    @Test("An invalidated response does not replace an error")
    func invalidatedOnError() {
        let entry = stored(
            "Cache-Control: max-age=60, stale-if-error=99",
            "ETag: \"v1\"",
            isInvalidated: true
        )
        #expect(Settled(CacheEngine().failure(request(), [entry], at: 10)) == .gatewayTimeout)
        #expect(
            Settled(CacheEngine().exchange(request(), [entry], at: 10, response(status: 503))) == .origin(503)
        )
    }

    @Test(
        "A policy that requires the origin returns its error",
        arguments: [
            RequestCachePolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
            .reloadRevalidatingCacheData,
        ]
    )
    func reloadingPolicies(policy: RequestCachePolicy) {
        let entry = stored("Cache-Control: max-age=60, stale-if-error=99", "ETag: \"v1\"")
        #expect(Settled(CacheEngine().failure(request(), [entry], policy: policy, at: 70)) == .unanswered)
        let settlement = CacheEngine().exchange(
            request(),
            [entry],
            policy: policy,
            at: 70,
            response(status: 503)
        )
        #expect(Settled(settlement) == .origin(503))
    }

    @Test(
        "immutable avoids the validation of a fresh response, and has no effect on a stale one",
        .checks("rfc8246.2.fresh", "rfc8246.2.stale"),
        arguments: [(59, Outcome.fresh(age: 59)), (60, .validate)] as [(Int64, Outcome)]
    )
    func immutable(second: Int64, outcome: Outcome) {
        let entry = stored("Cache-Control: max-age=60, immutable", "ETag: \"v1\"")
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: second)) == outcome)
    }
}
