import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("What is stored by the time a 304 arrives, RFC 9111 §4.3.4")
struct RenewingTests {
    /// The responses that are stored beside the selected one when the request is sent and when the 304 arrives, by its
    /// validators, and whether the 304 can then name it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: [String]?
        let after: [String]
        let canBeNamed: Bool
    }

    private static let monday = "Last-Modified: Mon, 29 Dec 2025 00:00:00 GMT"
    private static let tuesday = "Last-Modified: Tue, 30 Dec 2025 00:00:00 GMT"

    private static func variant(_ value: Int, _ lines: [String]) -> StoredResponse {
        stored(lines: ["Cache-Control: max-age=1", "Vary: Foo"] + lines, asked: request("Foo: \(value)"))
    }

    static let rows = [
        Row(
            testDescription: "added with the same tag",
            before: nil,
            after: ["ETag: \"1\""],
            canBeNamed: true
        ),
        Row(testDescription: "added with another tag", before: nil, after: ["ETag: \"2\""], canBeNamed: true),
        Row(
            testDescription: "unchanged with a weak tag",
            before: ["ETag: W/\"2\""],
            after: ["ETag: W/\"2\""],
            canBeNamed: false
        ),
        Row(testDescription: "unchanged with a date", before: [monday], after: [monday], canBeNamed: false),
        Row(
            testDescription: "replaced with another date",
            before: [monday],
            after: [tuesday],
            canBeNamed: true
        ),
        Row(
            testDescription: "replaced with another tag of the same date",
            before: ["ETag: W/\"2\"", monday],
            after: ["ETag: W/\"3\"", monday],
            canBeNamed: true
        ),
        Row(
            testDescription: "asked about, and replaced",
            before: ["ETag: \"2\""],
            after: ["ETag: \"3\""],
            canBeNamed: true
        ),
    ]

    @Test("A 304 can name what was asked about and what has been stored since", arguments: rows)
    func renewed(row: Row) throws {
        let selected = Self.variant(1, ["ETag: \"1\""])
        let before = row.before.map { [Self.variant(2, $0)] } ?? []
        let after = Self.variant(2, row.after)
        let planned = CacheEngine().plan(request("Foo: 1"), [selected] + before, at: 100)
        try #require(Outcome(planned) == .validate)
        let named = planned.renewed(with: [selected, after]).validated
        #expect(named.map(\.variant) == [selected.variant] + (row.canBeNamed ? [after.variant] : []))
        #expect(!row.canBeNamed || named.last?.response == after.response)
    }

    @Test(
        "A weak tag means what is stored, and what has been removed only if nothing else has the tag, §4.3.4"
    )
    func removed() throws {
        let tag = "ETag: W/\"1\""
        let other = stored("Vary: Foo", tag, asked: request("Foo: 1"))
        let asked = stored("Vary: Bar", tag, date: 10, asked: request("Bar: 1"), received: 10)
        let planned = CacheEngine().plan(request("Foo: 1", "Bar: 1"), [other, asked], at: 20)
        try #require(planned.validated.map(\.variant) == [asked.variant])
        let reply = OriginReply.response(
            response(tag, status: 304, date: 20),
            requestTime: at(20),
            responseTime: at(20)
        )
        for (current, expected) in [([other], other), ([], asked)] {
            let renewed = planned.renewed(with: current, besides: [asked])
            let settlement = CacheEngine().settle(renewed, reply: reply)
            #expect(settlement.freshened.map(\.variant) == [expected.variant])
        }
    }

    @Test(
        "A 304 without validators in the background is to the stored tag, whatever the caller has asked, §4.3.4"
    )
    func background() throws {
        let control = "Cache-Control: max-age=10, stale-while-revalidate=60"
        let planned = CacheEngine().plan(
            request("If-None-Match: \"0\""),
            [stored(control, "ETag: \"1\"")],
            at: 20
        )
        #expect(planned.sent?.headerFields == fields(["If-None-Match: \"1\""]))
        let reply = OriginReply.response(
            response(control, status: 304, date: 20),
            requestTime: at(20),
            responseTime: at(20)
        )
        let updated = try #require(CacheEngine().settle(planned, reply: reply).freshened.first)
        #expect(Outcome(CacheEngine().plan(request(), [updated], at: 29)) == .fresh(age: 9))
    }
}
