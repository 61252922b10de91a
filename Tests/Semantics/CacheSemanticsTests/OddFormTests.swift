import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

/// Parsing of fields in all the forms that origins send; expected values are derived from the sections.
@Suite("Fields in unusual forms")
struct OddFormTests {
    /// A field of a response with a lifetime of 100 s, and the last second at which the response is fresh.
    struct Row: CustomTestStringConvertible, Sendable {
        let lines: [String]
        let lastFresh: Int64?
        let kind: CacheKind
        var testDescription: String { "\(lines), \(kind)" }

        init(_ lines: [String], _ lastFresh: Int64?, _ kind: CacheKind = .private) {
            self.lines = lines
            self.lastFresh = lastFresh
            self.kind = kind
        }
    }

    private func check(_ row: Row) {
        let engine = CacheEngine(kind: row.kind)
        guard let entry = engine.exchange(response(lines: row.lines)).put else {
            Issue.record("not stored")
            return
        }
        if let last = row.lastFresh {
            #expect(Outcome(engine.plan(request(), [entry], at: last)) == .fresh(age: last + firstAge(entry)))
        }
        #expect(engine.plan(request(), [entry], at: (row.lastFresh ?? -1) + 1).reuse == nil)
    }

    /// Returns the age of a stored response at second 0.
    private func firstAge(_ entry: StoredResponse) -> Int64 {
        CacheEngine().plan(request(), policy: .returnCacheDataElseLoad, stored: [entry], now: at(0)).reuse?
            .age ?? 0
    }

    static let ages = [
        Row(["Age: 0"], 99), Row(["Age: 30"], 69), Row(["Age: 99"], 0), Row(["Age: 100"], nil),
        Row(["Age: 030"], 69), Row(["Age: 0000000000000000000030"], 69), Row(["Age:  30 "], 69),
        Row(["Age: 30, 50"], 69), Row(["Age: 50, 30"], 49), Row(["Age: 30", "Age: 50"], 69),
        Row(["Age: 50", "Age: 30"], 49), Row(["Age: , 30"], 69), Row(["Age: "], 99),
        Row(["Age: abc"], 99), Row(["Age: -30"], 99), Row(["Age: +30"], 99), Row(["Age: 30.0"], 99),
        Row(["Age: 30s"], 99), Row(["Age: s30"], 99), Row(["Age: 3 0"], 99), Row(["Age: \"30\""], 99),
        Row(["Age: 30;foo=bar"], 99), Row(["Age: 0x1e"], 99), Row(["Age: abc, 30"], 99),
        Row(["Age: 30, abc"], 69),
        Row(["Age: abc", "Age: 30"], 99), Row(["Age: 2147483647"], nil), Row(["Age: 2147483648"], nil),
        Row(["Age: 99999999999999999999999"], nil),
    ].map { Row(["Cache-Control: max-age=100"] + $0.lines, $0.lastFresh, $0.kind) }

    @Test("Age, RFC 9111 §5.1", .checks("rfc9111.5.1.first", "rfc9111.5.1.invalid"), arguments: ages)
    func age(row: Row) { check(row) }

    static let expiries = [
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 GMT"], 99),
        Row(["Expires: Thursday, 01-Jan-26 00:01:40 GMT"], 99),
        Row(["Expires: Thu Jan  1 00:01:40 2026"], 99), Row(["Expires: thu, 01 jan 2026 00:01:40 gmt"], 99),
        Row(["Expires: Thu, 01 Jan 2026 00:00:00 GMT"], nil),
        Row(["Expires: Wed, 31 Dec 2025 23:59:59 GMT"], nil),
        Row(["Expires: 0"], nil), Row(["Expires: "], nil), Row(["Expires: -1"], nil),
        Row(["Expires: 100"], nil),
        Row(["Expires: now"], nil), Row(["Expires: Thu, 01 Jan 2026 00:01:40"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 UTC"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 EST"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 +0000"], nil), Row(["Expires: 2026-01-01T00:01:40Z"], nil),
        Row(["Expires: Thu, 32 Jan 2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Foo 2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 25:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:61:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 GMT, x"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 GMT", "Expires: 0"], nil),
        Row(["Expires: Thu, 1 Jan 2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 0:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 26 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01-Jan-2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01  Jan  2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu 01 Jan 2026 00:01:40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00.01.40 GMT"], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01 GMT"], nil),
        Row(["Expires: \"Thu, 01 Jan 2026 00:01:40 GMT\""], nil),
        Row(["Expires: Thu, 01 Jan 2026 00:01:40 GMT, Thu, 01 Jan 2026 00:01:40 GMT"], nil),
        Row(["Cache-Control: max-age=100", "Expires: 0"], 99),
        Row(["Cache-Control: s-maxage=1, max-age=100", "Expires: 0"], 99),
        Row(["Cache-Control: s-maxage=100, max-age=1", "Expires: 0"], 99, .shared),
        Row(["Cache-Control: max-age=x", "Expires: Thu, 01 Jan 2026 00:01:40 GMT"], nil),
        Row(["Cache-Control: public", "Expires: Thu, 01 Jan 2026 00:01:40 GMT"], 99),
    ]

    @Test(
        "Expires, RFC 9111 §5.3",
        .checks("rfc9111.5.3.invalid", "rfc9111.5.3.max-age-wins", "rfc9111.4.2.1.expires"),
        arguments: expiries
    )
    func expires(row: Row) { check(row) }

    static let controls = [
        Row(["Cache-Control: max-age=100"], 99), Row(["Cache-Control: max-age=\"100\""], 99),
        Row(["Cache-Control: MaX-aGe=100"], 99), Row(["Cache-Control: max-age=0100"], 99),
        Row(["Cache-Control: max-age=100,"], 99), Row(["Cache-Control: , ,max-age=100"], 99),
        Row(["Cache-Control: \tmax-age=100\t"], 99), Row(["Cache-Control: foo=\"a,b\", max-age=100"], 99),
        Row(["Cache-Control: foo=\"max-age=1\", max-age=100"], 99),
        Row(["Cache-Control: foo=\"\\\", max-age=1\", max-age=100"], 99),
        Row(["Cache-Control: max-age=1, foo=\"max-age=100\""], 0), Row(["Cache-Control: max-age =100"], nil),
        Row(["Cache-Control: max-age= 100"], nil), Row(["Cache-Control: max-age='100'"], nil),
        Row(["Cache-Control: max-age=100.0"], nil), Row(["Cache-Control: max-age=a100"], nil),
        Row(["Cache-Control: max-age=100a"], nil), Row(["Cache-Control: max-age=-100"], nil),
        Row(["Cache-Control: max-age=+100"], nil), Row(["Cache-Control: max-age"], nil),
        Row(["Cache-Control: max-age="], nil), Row(["Cache-Control: max-age=100 foo"], nil),
        Row(["Cache-Control: max-age=100;foo"], nil), Row(["Cache-Control: x-max-age=100, public"], nil),
        Row(["Cache-Control: max-age=100, max-age=1"], 0), Row(["Cache-Control: max-age=1, max-age=100"], 0),
        Row(["Cache-Control: max-age=100", "Cache-Control: public"], 99),
        Row(["Cache-Control: s-maxage=100"], nil), Row(["Cache-Control: s-maxage=100"], 99, .shared),
        Row(["Cache-Control: s-maxage=\"100\""], 99, .shared),
        Row(["Cache-Control: s-maxage=x, max-age=100"], nil, .shared),
        Row(["Cache-Control: no-cache, max-age=100"], nil), Row(["Cache-Control: No-Cache"], nil),
        Row(["Cache-Control: no-cache=\"foo\", max-age=100"], 99),
        Row(["Cache-Control: no-cache=foo, max-age=100"], 99),
        Row(["Cache-Control: no-cache=\"\", max-age=100"], nil),
        Row(["Cache-Control: max-age=100, must-revalidate"], 99),
        Row(["Cache-Control: max-age=100, immutable=1"], 99),
        Row(["Pragma: no-cache", "Cache-Control: max-age=100"], 99),
    ]

    @Test(
        "Cache-Control of a response, RFC 9111 §5.2",
        .checks(
            "rfc9111.5.2.case",
            "rfc9111.5.2.argument-forms",
            "rfc9111.5.2.lines",
            "rfc9111.5.2.unknown",
            "rfc9111.4.2.1.invalid"
        ),
        arguments: controls
    )
    func control(row: Row) { check(row) }
}
