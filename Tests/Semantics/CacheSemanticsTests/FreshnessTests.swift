import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Freshness lifetime, RFC 9111 §4.2.1")
struct FreshnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: [String]
        /// The last second at which the response is fresh; `nil` if it never is.
        let lastFresh: Int64?
        var kind = CacheKind.private

        init(_ name: String, _ lines: [String], _ lastFresh: Int64?, _ kind: CacheKind = .private) {
            testDescription = name
            self.lines = lines
            self.lastFresh = lastFresh
            self.kind = kind
        }
    }

    static let explicit = [
        Row("max-age", ["Cache-Control: max-age=60"], 59),
        Row("max-age in capitals and quotes", ["Cache-Control: MAX-AGE=\"60\""], 59),
        Row(
            "max-age over an earlier Expires",
            ["Cache-Control: max-age=60", "Expires: \(at(-3600).text)"],
            59
        ),
        Row("max-age over a later Expires", ["Cache-Control: max-age=1", "Expires: \(at(3600).text)"], 0),
        Row("public does not override Expires", ["Cache-Control: public", "Expires: \(at(60).text)"], 59),
        Row("Expires", ["Expires: \(at(60).text)"], 59),
        Row("Expires in the RFC 850 form", ["Expires: Thursday, 01-Jan-26 00:01:00 GMT"], 59),
        Row("Expires in the asctime form", ["Expires: Thu Jan  1 00:01:00 2026"], 59),
        Row("max-age=0", ["Cache-Control: max-age=0"], nil),
        Row("Expires equal to Date", ["Expires: \(at(0).text)"], nil),
        Row("s-maxage in a shared cache", ["Cache-Control: s-maxage=60, max-age=1"], 59, .shared),
        Row("s-maxage=0 in a shared cache", ["Cache-Control: s-maxage=0, max-age=60"], nil, .shared),
        Row(
            "s-maxage over Expires",
            ["Cache-Control: s-maxage=60", "Expires: \(at(-60).text)"],
            59,
            .shared
        ),
        Row("max-age in a shared cache", ["Cache-Control: max-age=60"], 59, .shared),
        Row("s-maxage in a private cache", ["Cache-Control: s-maxage=600, max-age=60"], 59),
        Row("s-maxage alone in a private cache", ["Cache-Control: s-maxage=600"], nil),
    ]

    @Test(
        "A response is fresh until its lifetime is reached, and not at that second",
        .checks(
            "rfc9111.4.2.fresh",
            "rfc9111.4.2.1.s-maxage",
            "rfc9111.4.2.1.s-maxage-private",
            "rfc9111.4.2.1.max-age",
            "rfc9111.4.2.1.expires",
            "rfc9111.5.2.2.1.max-age",
            "rfc9111.5.3.max-age-wins"
        ),
        arguments: explicit
    )
    func explicitLifetime(row: Row) {
        expectFresh(row)
    }

    static let invalid = [
        Row("max-age that is no number", ["Cache-Control: max-age=a60", "Expires: \(at(60).text)"], nil),
        Row("max-age in single quotes", ["Cache-Control: max-age='60'"], nil),
        Row("Expires: 0", ["Expires: 0"], nil),
        Row("Expires: -1", ["Expires: -1"], nil),
        Row("Expires in another zone", ["Expires: Thu, 01 Jan 2026 00:01:00 EST"], nil),
        Row(
            "invalid Expires beside Last-Modified",
            ["Expires: 0", "Last-Modified: \(at(-86400).text)"],
            nil
        ),
        Row("the smaller of two max-age", ["Cache-Control: max-age=600, max-age=60"], 59),
        Row(
            "the smaller of two max-age lines",
            ["Cache-Control: max-age=60", "Cache-Control: max-age=600"],
            59
        ),
        Row("the earlier of two Expires", ["Expires: \(at(600).text)", "Expires: \(at(60).text)"], 59),
        Row("one of two Expires invalid", ["Expires: \(at(600).text)", "Expires: x"], nil),
        Row("overflow", ["Cache-Control: max-age=99999999999999999999"], 2_147_483_647),
    ]

    @Test(
        "Invalid freshness information makes a response stale, and of conflicting values the smallest counts",
        .checks(
            "rfc9111.4.2.1.invalid",
            "rfc9111.4.2.1.conflict",
            "rfc9111.4.2.1.most-restrictive",
            "rfc9111.5.3.invalid",
            "rfc9111.1.2.2.overflow",
            "rfc9111.4.2.date-zone"
        ),
        arguments: invalid
    )
    func invalidInformation(row: Row) {
        expectFresh(row)
    }

    static let heuristic = [
        Row("a tenth of ten minutes", ["Last-Modified: \(at(-600).text)"], 59),
        Row("a tenth, rounded down", ["Last-Modified: \(at(-609).text)"], 59),
        Row("nothing under ten seconds", ["Last-Modified: \(at(-9).text)"], nil),
        Row("Last-Modified in the future", ["Last-Modified: \(at(600).text)"], nil),
        Row("Last-Modified that is no date", ["Last-Modified: yesterday"], nil),
        Row("not beside max-age", ["Last-Modified: \(at(-86400).text)", "Cache-Control: max-age=60"], 59),
        Row("not beside Expires", ["Last-Modified: \(at(-86400).text)", "Expires: \(at(60).text)"], 59),
        Row("no Last-Modified", [], nil),
    ]

    @Test(
        "Without explicit freshness a tenth of the time since Last-Modified is used",
        .checks("rfc9111.4.2.2.ten-percent", "rfc9111.4.2.2.no-explicit"),
        arguments: heuristic
    )
    func heuristicLifetime(row: Row) {
        expectFresh(row)
    }

    @Test(
        "Only some status codes get heuristic freshness",
        .checks("rfc9111.4.2.2.status", "rfc9110.15.1.heuristic"),
        arguments: [
            200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501, 201, 202, 302, 307, 400, 403, 500, 503,
            599,
        ]
    )
    func heuristicStatus(code: Int) {
        let entry = stored("Last-Modified: \(at(-600).text)", status: code)
        let isHeuristic = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(code)
        let expected = isHeuristic ? Outcome.fresh(age: 30) : .validate
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: 30)) == expected)
    }

    @Test("public allows heuristic freshness with any status code", .checks("rfc9111.4.2.2.status"))
    func heuristicPublic() {
        let entry = stored("Last-Modified: \(at(-600).text)", "Cache-Control: public", status: 599)
        #expect(Outcome(CacheEngine().plan(request(), [entry], at: 30)) == .fresh(age: 30))
    }

    @Test("The heuristic can be disabled")
    func heuristicOff() {
        let engine = CacheEngine(usesHeuristicFreshness: false)
        let entry = stored("Last-Modified: \(at(-600).text)")
        #expect(Outcome(engine.plan(request(), [entry], at: 30)) == .validate)
    }

    private func expectFresh(_ row: Row) {
        let engine = CacheEngine(kind: row.kind)
        var entry = stored()
        entry = StoredResponse(
            key: entry.key,
            variant: entry.variant,
            method: .get,
            selectingFields: [:],
            response: response(lines: row.lines + ["ETag: \"v1\""]),
            requestTime: at(0),
            responseTime: at(0)
        )
        if let last = row.lastFresh {
            #expect(Outcome(engine.plan(request(), [entry], at: last)) == .fresh(age: last))
        }
        #expect(Outcome(engine.plan(request(), [entry], at: (row.lastFresh ?? -1) + 1)) == .validate)
    }
}

@Suite("Age, RFC 9111 §4.2.3")
struct AgeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let entry: StoredResponse
        let age: Int64
    }

    /// All responses are used at second 10.
    static let rows = [
        Row(testDescription: "resident time alone", entry: stored("Cache-Control: max-age=999"), age: 10),
        Row(
            testDescription: "Age of the origin",
            entry: stored("Cache-Control: max-age=999", "Age: 30"),
            age: 40
        ),
        Row(
            testDescription: "Date in the past",
            entry: stored("Cache-Control: max-age=999", date: -50),
            age: 60
        ),
        Row(
            testDescription: "Date in the future",
            entry: stored("Cache-Control: max-age=999", date: 50),
            age: 10
        ),
        Row(
            testDescription: "the larger of Date and Age: Age",
            entry: stored("Cache-Control: max-age=999", "Age: 70", date: -50),
            age: 80
        ),
        Row(
            testDescription: "the larger of Date and Age: Date",
            entry: stored("Cache-Control: max-age=999", "Age: 20", date: -50),
            age: 60
        ),
        Row(
            testDescription: "response delay beside Age",
            entry: stored("Cache-Control: max-age=999", "Age: 30", sent: -4),
            age: 44
        ),
        Row(
            testDescription: "response delay alone",
            entry: stored("Cache-Control: max-age=999", sent: -4),
            age: 14
        ),
        Row(
            testDescription: "no Date",
            entry: stored("Cache-Control: max-age=999", date: nil, sent: 4, received: 4),
            age: 6
        ),
        Row(
            testDescription: "a Date that is none",
            entry: stored("Cache-Control: max-age=999", "Date: today", date: nil, sent: 4, received: 4),
            age: 6
        ),
        Row(
            testDescription: "the clock was set back by a second",
            entry: stored("Cache-Control: max-age=999", "Age: 3", date: 11, sent: 11, received: 11),
            age: 3
        ),
    ]

    @Test(
        "The current age is the larger of apparent age and corrected age value, plus the resident time",
        .checks(
            "rfc9111.4.2.3.apparent",
            "rfc9111.4.2.3.corrected",
            "rfc9111.4.2.3.larger",
            "rfc9111.4.2.3.resident",
            "rfc9110.6.6.1.missing"
        ),
        arguments: rows
    )
    func currentAge(row: Row) {
        #expect(Outcome(CacheEngine().plan(request(), [row.entry], at: 10)) == .fresh(age: row.age))
    }

    @Test(
        "A response that was received later than the clock shows is validated, whatever the request accepts",
        .checks("rfc9111.4.2.3.resident"),
        arguments: ["Foo: 1", "Cache-Control: max-stale", "Cache-Control: max-stale=9, max-age=9"]
    )
    func clockSetBack(line: String) {
        let entry = stored("Cache-Control: max-age=999", "ETag: \"v1\"", date: 12, sent: 12, received: 12)
        let planned = CacheEngine().plan(request(line), [entry], at: 10)
        #expect(Outcome(planned) == .validate)
        #expect(planned.held(.ageResident) == false)
        #expect(planned.forwardReason == .stale)
    }

    @Test("After the clock was set back a new response replaces the one with the later Date")
    func replacedAfterSettingBack() {
        let old = stored("Cache-Control: max-age=999", date: 3600, sent: 3600, received: 3600)
        let settlement = CacheEngine().exchange(
            request(),
            [old],
            at: 10,
            response("Cache-Control: max-age=999", date: 10)
        )
        #expect(settlement.put?.date == at(10))
    }

    @Test(
        "The remaining freshness is the lifetime less the age",
        .checks("rfc9211.2.4.ttl"),
        arguments: [(0, 60), (59, 1), (60, 0), (70, -10)] as [(Int64, Int64)]
    )
    func remainingFreshness(second: Int64, left: Int64) {
        #expect(
            CacheEngine().remainingFreshness(of: stored("Cache-Control: max-age=60"), now: at(second)) == left
        )
    }

    @Test(
        "The first value of an Age field counts, if it is a number",
        .checks("rfc9111.5.1.first", "rfc9111.5.1.invalid", "rfc9111.1.2.2.overflow"),
        arguments: [
            (["Age: 30, 50"], 40), (["Age: 30", "Age: 50"], 40), (["Age: , 30"], 40), (["Age: -30"], 10),
            (["Age: 30.0"], 10), (["Age: x"], 10), (["Age: x, 30"], 10), (["Age: \"30\""], 10),
            (["Age:  30 "], 40),
            (["Age: 99999999999999999999"], 2_147_483_658),
        ] as [([String], Int64)]
    )
    func ageField(lines: [String], age: Int64) throws {
        let response = response(lines: lines + ["Cache-Control: max-age=99999999999"])
        let put = try #require(CacheEngine().exchange(response).put)
        let reuse = try #require(CacheEngine().plan(request("Cache-Control: max-stale"), [put], at: 10).reuse)
        #expect(reuse.age == age)
    }

    @Test("A reused response has one Age field with its current age", .checks("rfc9111.4.age-field"))
    func ageIsSet() throws {
        let entry = stored("Cache-Control: max-age=99", "Age: 30", "X: 1")
        let reuse = try #require(CacheEngine().plan(request(), [entry], at: 10).reuse)
        #expect(reuse.response.headerFields[values: .age] == ["40"])
        #expect(reuse.response.headerFields[values: .date] == ["Thu, 01 Jan 2026 00:00:00 GMT"])
        #expect(reuse.lifetime == 99)
    }
}
