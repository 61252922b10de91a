import HTTPServing
import Testing

@testable import MockOrigin

@Suite("Outcomes of conditional fields, as the journal reports them")
struct ConditionTests {
    /// A request and its response, with the outcomes of the fields in the order of their evaluation.
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [(String, String)]
        var status: Int?
        var tag: String?
        var outcomes: [String]

        init(_ fields: [(String, String)], _ status: Int?, tag: String? = "\"v1\"", _ outcomes: String...) {
            (self.fields, self.status, self.tag, self.outcomes) = (fields, status, tag, outcomes)
        }

        var testDescription: String { "\(fields), \(status.map(String.init) ?? "none"), \(tag ?? "no tag")" }
    }
    private static let since = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let rows = [
        Row([], 200),
        Row([("If-None-Match", "\"v1\"")], nil, "no response"),
        Row([("If-None-Match", "\"v1\"")], 304, "matches: not modified"),
        Row([("If-None-Match", "*")], 412, "matches: failed"),
        Row([("If-None-Match", "\"v0\"")], 200, "does not match: the current response is sent"),
        Row([("If-None-Match", "\"v0\", W/\"v1\"")], 200, "matches, but is not evaluated"),
        Row([("If-None-Match", "*")], 200, "matches, but is not evaluated"),
        Row(
            [("If-None-Match", "\"v1\"")],
            200,
            tag: nil,
            "nothing to compare with: the response has no ETag"
        ),
        Row(
            [("If-Modified-Since", since), ("If-None-Match", "\"v1\"")],
            304,
            "matches: not modified",
            "not evaluated, because of If-None-Match"
        ),
        Row([("If-Modified-Since", since)], 304, "not modified since"),
        Row([("If-Modified-Since", since)], 200, "modified since, or no date"),
        Row([("If-Match", "\"v1\"")], 200, "holds or is not evaluated"),
        Row(
            [("If-Unmodified-Since", since), ("If-Match", "\"v1\"")],
            412,
            "failed",
            "not evaluated, because of If-Match"
        ),
        Row([("If-Unmodified-Since", since)], 412, "failed"),
        Row([("If-Unmodified-Since", since)], 200, "holds or is not evaluated"),
        Row(
            [("Range", "bytes=0-1"), ("If-Range", "\"v1\"")],
            206,
            "holds: the range is sent",
            "the range is sent"
        ),
        Row(
            [("Range", "bytes=0-1"), ("If-Range", "\"v0\"")],
            200,
            "does not hold: no range is sent",
            "not evaluated"
        ),
        Row([("Range", "bytes=9-")], 416, "outside of the content"),
    ]

    @Test("Each is in the order of RFC 9110 §13.2.2, with what the response shows", arguments: rows)
    func outcomes(_ row: Row) {
        let fields = row.fields.map { ServedField($0.0, $0.1) }
        var entry = RecordedExchange(
            ServedRequest(method: "GET", target: "/a", fields: fields),
            at: 0,
            keeping: .max
        )
        entry.status = row.status
        entry.answerFields = row.tag.map { [ServedField("ETag", $0)] } ?? []
        #expect(Condition.conditions(of: entry).map(\.outcome) == row.outcomes)
    }
}
