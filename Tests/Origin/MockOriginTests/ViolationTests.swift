import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Requirements of RFC 9110 and their violations")
struct ViolationTests {
    /// A request, with the right and the wrong form of one property of its reply.
    struct Row: Sendable, CustomTestStringConvertible {
        var violation: Violation
        var method = "GET"
        var fields: [ServedField] = []
        var change: @Sendable (inout Answer) -> Void = { _ in }
        var look: @Sendable (ComposedReply) -> String
        var right: String
        var wrong: String
        var testDescription: String { violation.rawValue }
    }

    private static let now = HTTPTimestamp(seconds: 1_767_225_600)
    private static let modified = "Wed, 31 Dec 2025 23:59:00 GMT"

    private static func reply(_ row: Row, isWrong: Bool) -> ComposedReply {
        var answer = Answer.text("0123456789") { answer in
            answer.entityTag = .literal("\"v1\"")
            answer.lastModified = .offset(.seconds(-60))
            answer.ranges = .offered
            answer.fields = [FieldLine("Cache-Control", .text("max-age=60"))]
        }
        row.change(&answer)
        if isWrong { answer.violations = [row.violation] }
        let request = ServedRequest(method: row.method, target: "/", fields: row.fields)
        let context = AnswerContext(request: request, now: now, startedAt: now)
        return ComposedReply.compose(answer, context, ContentStore(folder: nil))
    }

    private static func field(_ name: String) -> @Sendable (ComposedReply) -> String {
        { $0.head.fields.combined(name) ?? "none" }
    }

    private static let status: @Sendable (ComposedReply) -> String = { "\($0.head.status)" }

    private static let body: @Sendable (ComposedReply) -> String = { reply in
        reply.steps.reduce(into: "") { text, step in
            if case .content(let piece, _, _) = step {
                text += String(decoding: piece.bytes() ?? [], as: UTF8.self)
            }
        }
    }

    private static let weak: @Sendable (inout Answer) -> Void = { $0.entityTag = .literal("W/\"v1\"") }
    private static let coded: @Sendable (inout Answer) -> Void = { $0.gzip = .offered }
    private static let tag = ServedField("If-None-Match", "\"v1\"")
    private static let gzip = ServedField("Accept-Encoding", "gzip")
    private static let range = ServedField("Range", "bytes=2-4")

    private static let conditional: [Row] = [
        Row(violation: .ignoresIfNoneMatch, fields: [tag], look: status, right: "304", wrong: "200"),
        Row(
            violation: .ignoresIfModifiedSince,
            fields: [.init("If-Modified-Since", modified)],
            look: status,
            right: "304",
            wrong: "200"
        ),
        Row(
            violation: .ignoresIfMatch,
            fields: [.init("If-Match", "\"v2\"")],
            look: status,
            right: "412",
            wrong: "200"
        ),
        Row(
            violation: .ignoresIfUnmodifiedSince,
            fields: [.init("If-Unmodified-Since", "Wed, 31 Dec 2025 23:58:59 GMT")],
            look: status,
            right: "412",
            wrong: "200"
        ),
        Row(
            violation: .lastModifiedBeforeETag,
            fields: [.init("If-None-Match", "\"v2\""), .init("If-Modified-Since", modified)],
            look: status,
            right: "200",
            wrong: "304"
        ),
        Row(
            violation: .weakAsStrong,
            fields: [.init("If-Match", "W/\"v1\"")],
            change: weak,
            look: status,
            right: "412",
            wrong: "200"
        ),
        Row(
            violation: .strongForIfNoneMatch,
            fields: [tag],
            change: weak,
            look: status,
            right: "304",
            wrong: "200"
        ),
        Row(
            violation: .firstTagOnly,
            fields: [.init("If-None-Match", "\"v0\", \"v1\"")],
            look: status,
            right: "304",
            wrong: "200"
        ),
        Row(
            violation: .starAsTag,
            fields: [.init("If-None-Match", "*")],
            look: status,
            right: "304",
            wrong: "200"
        ),
        Row(
            violation: .exactDateOnly,
            fields: [.init("If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")],
            look: status,
            right: "304",
            wrong: "200"
        ),
        Row(
            violation: .preconditionsOnErrors,
            fields: [tag],
            change: { $0.status = 404 },
            look: status,
            right: "404",
            wrong: "304"
        ),
        Row(
            violation: .notModifiedForEveryMethod,
            method: "POST",
            fields: [tag],
            look: status,
            right: "412",
            wrong: "304"
        ),
        Row(violation: .notModifiedWithBody, fields: [tag], look: body, right: "", wrong: "0123456789"),
        Row(
            violation: .notModifiedWithoutFields,
            fields: [tag],
            look: { $0.head.fields.map(\.name).joined(separator: " ") },
            right: "Date Cache-Control ETag",
            wrong: "Date"
        ),
        Row(
            violation: .notModifiedWithOtherETag,
            fields: [tag],
            look: field("ETag"),
            right: "\"v1\"",
            wrong: "\"another\""
        ),
    ]

    private static let rangesAndCodings: [Row] = [
        Row(
            violation: .ignoresIfRange,
            fields: [range, .init("If-Range", "\"v0\"")],
            look: status,
            right: "200",
            wrong: "206"
        ),
        Row(violation: .ignoresRange, fields: [range], look: status, right: "206", wrong: "200"),
        Row(
            violation: .wrongContentRange,
            fields: [range],
            look: field("Content-Range"),
            right: "bytes 2-4/10",
            wrong: "bytes 3-5/10"
        ),
        Row(
            violation: .wrongCompleteLength,
            fields: [range],
            look: field("Content-Range"),
            right: "bytes 2-4/10",
            wrong: "bytes 2-4/11"
        ),
        Row(
            violation: .partialWithoutContentRange,
            fields: [range],
            look: field("Content-Range"),
            right: "bytes 2-4/10",
            wrong: "none"
        ),
        Row(violation: .rangeEndExclusive, fields: [range], look: body, right: "234", wrong: "23"),
        Row(violation: .okForPartial, fields: [range], look: status, right: "206", wrong: "200"),
        Row(
            violation: .unsatisfiableWithoutLength,
            fields: [.init("Range", "bytes=10-")],
            look: field("Content-Range"),
            right: "bytes */10",
            wrong: "none"
        ),
        Row(
            violation: .partialForUnsatisfiable,
            fields: [.init("Range", "bytes=10-")],
            look: { $0.head.status == 206 ? "206 with '\(body($0))'" : status($0) },
            right: "416",
            wrong: "206 with ''"
        ),
        Row(
            violation: .gzipWithoutVary,
            fields: [gzip],
            change: coded,
            look: field("Vary"),
            right: "Accept-Encoding",
            wrong: "none"
        ),
        Row(
            violation: .sameETagForCodings,
            fields: [gzip],
            change: coded,
            look: field("ETag"),
            right: "\"v1-gzip\"",
            wrong: "\"v1\""
        ),
        Row(
            violation: .gzipUnasked,
            change: coded,
            look: field("Content-Encoding"),
            right: "none",
            wrong: "gzip"
        ),
        Row(
            violation: .gzipUnlabelled,
            fields: [gzip],
            change: coded,
            look: field("Content-Encoding"),
            right: "gzip",
            wrong: "none"
        ),
        Row(violation: .unquotedETag, look: field("ETag"), right: "\"v1\"", wrong: "v1"),
        Row(
            violation: .lastModifiedInFuture,
            look: field("Last-Modified"),
            right: modified,
            wrong: "Thu, 01 Jan 2026 01:00:00 GMT"
        ),
        Row(violation: .headWithBody, method: "HEAD", look: body, right: "", wrong: "0123456789"),
        Row(
            violation: .headWithoutFields,
            method: "HEAD",
            look: { $0.head.fields.map(\.name).joined(separator: " ") },
            right: "Date Cache-Control ETag Last-Modified Accept-Ranges Content-Length",
            wrong: "Date Cache-Control Accept-Ranges"
        ),
    ]

    @Test(
        "Without the violation the reply is right, with it it is wrong in one respect",
        arguments: conditional + rangesAndCodings
    )
    func effect(row: Row) {
        #expect(row.look(Self.reply(row, isWrong: false)) == row.right)
        #expect(row.look(Self.reply(row, isWrong: true)) == row.wrong)
    }

    @Test("Every violation has its row")
    func complete() {
        #expect(Set((Self.conditional + Self.rangesAndCodings).map(\.violation)) == Set(Violation.allCases))
    }

    @Test(
        "Unexpected content ends the connection",
        arguments: [Violation.notModifiedWithBody, .headWithBody]
    )
    func ending(violation: Violation) {
        let method = violation == .headWithBody ? "HEAD" : "GET"
        let row = Row(
            violation: violation,
            method: method,
            fields: [Self.tag],
            look: Self.status,
            right: "",
            wrong: ""
        )
        if violation == .headWithBody {
            let plain = Row(violation: violation, method: "HEAD", look: Self.status, right: "", wrong: "")
            #expect(Self.reply(plain, isWrong: true).ending == .close)
        } else {
            #expect(Self.reply(row, isWrong: true).ending == .close)
        }
        #expect(Self.reply(row, isWrong: false).ending == .keepAlive)
    }

    @Test(
        "A literal strong tag changes with the coding by the policy, a weak one does not",
        arguments: [
            (CodedTag.suffixed, "\"v1\"", "\"v1\"", "\"v1-gzip\""), (.weak, "\"v1\"", "W/\"v1\"", "W/\"v1\""),
            (.same, "\"v1\"", "\"v1\"", "\"v1\""), (.suffixed, "W/\"v1\"", "W/\"v1\"", "W/\"v1\""),
        ]
    )
    func codedTag(policy: CodedTag, tag: String, plain: String, coded: String) {
        func seen(_ fields: [ServedField]) -> String {
            let row = Row(
                violation: .gzipUnasked,
                fields: fields,
                change: { answer in
                    answer.gzip = .offered
                    answer.codedTag = policy
                    answer.entityTag = .literal(tag)
                },
                look: Self.field("ETag"),
                right: "",
                wrong: ""
            )
            return row.look(Self.reply(row, isWrong: false))
        }
        #expect(seen([]) == plain)
        #expect(seen([Self.gzip]) == coded)
    }
}
