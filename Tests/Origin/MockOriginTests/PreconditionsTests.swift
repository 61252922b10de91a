import HTTPServing
import Testing

@testable import MockOrigin

@Suite("Preconditions at the origin, RFC 9110 §13")
struct PreconditionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var tag: String? = "\"v1\""
        var modified: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
        var method = "GET"
        var fields: [ServedField]
        var outcome: Preconditions.Outcome
        var testDescription: String { name }
    }
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun Nov  6 08:49:36 1994"
    private static let after = "Sunday, 06-Nov-94 08:49:38 GMT"

    @Test(
        "Each field is evaluated, in order, by RFC 9110 §13.1 and §13.2.2",
        arguments: [
            Row(name: "no condition", fields: [], outcome: .holds),
            Row(name: "same tag", fields: [.init("If-None-Match", "\"v1\"")], outcome: .notModified),
            Row(name: "other tag", fields: [.init("If-None-Match", "\"v2\"")], outcome: .holds),
            Row(
                name: "weak tag matches",
                fields: [.init("If-None-Match", "W/\"v1\"")],
                outcome: .notModified
            ),
            Row(
                name: "own weak tag matches",
                tag: "W/\"v1\"",
                fields: [.init("If-None-Match", "\"v1\"")],
                outcome: .notModified
            ),
            Row(
                name: "in a list",
                fields: [.init("If-None-Match", "\"a,b\", \"v1\"")],
                outcome: .notModified
            ),
            Row(
                name: "on a second line",
                fields: [.init("If-None-Match", "\"a\""), .init("if-none-match", "\"v1\"")],
                outcome: .notModified
            ),
            Row(
                name: "a comma inside a tag",
                fields: [.init("If-None-Match", "\"x, \"v1\"\"")],
                outcome: .holds
            ),
            Row(name: "any", fields: [.init("If-None-Match", " * ")], outcome: .notModified),
            Row(
                name: "any without a tag",
                tag: nil,
                fields: [.init("If-None-Match", "*")],
                outcome: .notModified
            ),
            Row(
                name: "HEAD",
                method: "HEAD",
                fields: [.init("If-None-Match", "\"v1\"")],
                outcome: .notModified
            ),
            Row(name: "PUT", method: "PUT", fields: [.init("If-None-Match", "\"v1\"")], outcome: .failed),
            Row(name: "OPTIONS", method: "OPTIONS", fields: [.init("If-Match", "\"x\"")], outcome: .holds),
            Row(name: "TRACE", method: "TRACE", fields: [.init("If-None-Match", "\"v1\"")], outcome: .holds),
            Row(name: "CONNECT", method: "CONNECT", fields: [.init("If-None-Match", "*")], outcome: .holds),
            Row(
                name: "every byte of an opaque tag",
                tag: "\"!#~é\"",
                fields: [.init("If-None-Match", "\"!#~é\"")],
                outcome: .notModified
            ),
            Row(
                name: "an empty tag",
                tag: "\"\"",
                fields: [.init("If-None-Match", "\"\"")],
                outcome: .notModified
            ),
            Row(
                name: "a space in a tag",
                tag: "\"a b\"",
                fields: [.init("If-None-Match", "\"a b\"")],
                outcome: .holds
            ),
            Row(
                name: "DEL in a tag",
                tag: "\"\u{7F}\"",
                fields: [.init("If-None-Match", "\"\u{7F}\"")],
                outcome: .holds
            ),
            Row(
                name: "half a tag",
                tag: "\"",
                fields: [.init("If-None-Match", "\"")],
                outcome: .holds
            ),
            Row(name: "unquoted", fields: [.init("If-None-Match", "v1")], outcome: .holds),
            Row(name: "same date", fields: [.init("If-Modified-Since", same)], outcome: .notModified),
            Row(name: "later date", fields: [.init("If-Modified-Since", after)], outcome: .notModified),
            Row(name: "earlier date", fields: [.init("If-Modified-Since", before)], outcome: .holds),
            Row(name: "bad date", fields: [.init("If-Modified-Since", "yesterday")], outcome: .holds),
            Row(
                name: "no own date",
                modified: nil,
                fields: [.init("If-Modified-Since", same)],
                outcome: .holds
            ),
            Row(
                name: "date with POST",
                method: "POST",
                fields: [.init("If-Modified-Since", same)],
                outcome: .holds
            ),
            Row(
                name: "tag before date",
                fields: [.init("If-None-Match", "\"v2\""), .init("If-Modified-Since", same)],
                outcome: .holds
            ),
            Row(name: "If-Match same", fields: [.init("If-Match", "\"v1\"")], outcome: .holds),
            Row(name: "If-Match other", fields: [.init("If-Match", "\"v2\"")], outcome: .failed),
            Row(name: "If-Match weak", fields: [.init("If-Match", "W/\"v1\"")], outcome: .failed),
            Row(name: "If-Match any", fields: [.init("If-Match", "*")], outcome: .holds),
            Row(name: "If-Match no tag", tag: nil, fields: [.init("If-Match", "\"v1\"")], outcome: .failed),
            Row(name: "unmodified since", fields: [.init("If-Unmodified-Since", same)], outcome: .holds),
            Row(name: "modified since", fields: [.init("If-Unmodified-Since", before)], outcome: .failed),
            Row(
                name: "If-Match before If-Unmodified-Since",
                fields: [.init("If-Match", "\"v1\""), .init("If-Unmodified-Since", before)],
                outcome: .holds
            ),
            Row(
                name: "If-Match, then If-None-Match",
                fields: [.init("If-Match", "\"v1\""), .init("If-None-Match", "\"v1\"")],
                outcome: .notModified
            ),
        ]
    )
    func evaluate(row: Row) {
        let now = HTTPTimestamp(seconds: 1_767_225_600)
        let preconditions = Preconditions(
            entityTag: row.tag.flatMap { EntityTagValue($0) },
            lastModified: row.modified.flatMap { HTTPTimestamp(reading: $0, now: now) },
            now: now
        )
        #expect(preconditions.evaluate(method: row.method, fields: row.fields) == row.outcome)
    }
}
