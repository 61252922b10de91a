import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Ranges at the origin, RFC 9110 §14 and §13.1.5")
struct RangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var range: String
        var status: Int
        var contentRange: String?
        var body: String
        var testDescription: String { range }
    }

    private func reply(
        _ fields: [ServedField],
        method: String = "GET",
        _ change: (inout Answer) -> Void = { _ in }
    ) -> ComposedReply {
        var answer = Answer.text("0123456789") { answer in
            answer.ranges = .offered
            answer.entityTag = .literal("\"v1\"")
            answer.lastModified = .offset(.seconds(-60))
            answer.fields = [FieldLine("Content-Type", .text("text/plain"))]
        }
        change(&answer)
        let now = HTTPTimestamp(seconds: 1_767_225_600)
        let request = ServedRequest(method: method, target: "/", fields: fields)
        let context = AnswerContext(request: request, now: now, startedAt: now)
        return ComposedReply.compose(answer, context, ContentStore(folder: nil))
    }

    private func body(_ reply: ComposedReply) -> String {
        reply.steps.reduce(into: "") { text, step in
            if case .content(let piece, _, _) = step {
                text += String(decoding: piece.bytes() ?? [], as: UTF8.self)
            }
        }
    }

    @Test(
        "A range gets its bytes, an invalid one the whole, and an unsatisfiable one 416",
        arguments: [
            Row(range: "bytes=0-4", status: 206, contentRange: "bytes 0-4/10", body: "01234"),
            Row(range: "bytes=9-9", status: 206, contentRange: "bytes 9-9/10", body: "9"),
            Row(range: "bytes=5-", status: 206, contentRange: "bytes 5-9/10", body: "56789"),
            Row(range: "bytes=-3", status: 206, contentRange: "bytes 7-9/10", body: "789"),
            Row(range: "bytes=-30", status: 206, contentRange: "bytes 0-9/10", body: "0123456789"),
            Row(range: "bytes=8-100", status: 206, contentRange: "bytes 8-9/10", body: "89"),
            Row(
                range: "bytes=2-99999999999999999999",
                status: 206,
                contentRange: "bytes 2-9/10",
                body: "23456789"
            ),
            Row(range: "BYTES=0-0", status: 206, contentRange: "bytes 0-0/10", body: "0"),
            Row(range: "bytes= 1-2 ,", status: 206, contentRange: "bytes 1-2/10", body: "12"),
            Row(range: "bytes=1-2,20-30", status: 206, contentRange: "bytes 1-2/10", body: "12"),
            Row(range: "bytes=10-", status: 416, contentRange: "bytes */10", body: ""),
            Row(range: "bytes=10-20,30-40", status: 416, contentRange: "bytes */10", body: ""),
            Row(range: "bytes=-0", status: 416, contentRange: "bytes */10", body: ""),
            Row(range: "bytes=4-2", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes=", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes=a-b", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes=1-2-3", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes=-", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "lines=1-2", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes", status: 200, contentRange: nil, body: "0123456789"),
            Row(range: "bytes=0-9,0-9,0-9,0-9", status: 200, contentRange: nil, body: "0123456789"),
        ]
    )
    func single(row: Row) {
        let reply = reply([ServedField("Range", row.range)])
        #expect(reply.head.status == row.status)
        #expect(reply.head.fields.combined("Content-Range") == row.contentRange)
        #expect(body(reply) == row.body)
        #expect(reply.head.fields.combined("Content-Length") == "\(row.body.count)")
    }

    @Test(
        "Two overlaps and 64 ranges are served, more of either gets the whole",
        arguments: [
            ("0-4,3-6,5-9", 206), ("0-4,3-6,5-8,7-9", 200), ("0-9,0-9", 206), ("0-9,0-9,0-9", 200),
            ("0-0" + ranges(from: 100, to: 162), 206), ("0-0" + ranges(from: 100, to: 163), 200),
        ]
    )
    func suspicious(ranges: String, status: Int) {
        #expect(reply([ServedField("Range", "bytes=" + ranges)]).head.status == status)
    }

    /// Ranges of one byte each, after a comma each, which do not overlap and are beyond the end.
    private static func ranges(from first: Int, to last: Int) -> String {
        (first...last).map { ",\($0)-\($0)" }.joined()
    }

    @Test("A 416 has the validators of the representation")
    func validatorsOf416() {
        let fields = reply([ServedField("Range", "bytes=10-")]).head.fields
        #expect(fields.combined("ETag") == "\"v1\"")
        #expect(fields.combined("Last-Modified") == "Wed, 31 Dec 2025 23:59:00 GMT")
    }

    @Test("Several ranges are sent as parts of one multipart content, in the requested order")
    func several() {
        let reply = reply([ServedField("Range", "bytes=7-8,0-1")])
        let type = reply.head.fields.combined("Content-Type") ?? ""
        #expect(reply.head.status == 206)
        #expect(reply.head.fields.combined("Content-Range") == nil)
        #expect(type.hasPrefix("multipart/byteranges; boundary="))
        let boundary = type.dropFirst("multipart/byteranges; boundary=".count)
        let expected =
            "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes 7-8/10\r\n\r\n78\r\n"
            + "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--\(boundary)--\r\n"
        #expect(body(reply) == expected)
        #expect(reply.head.fields.combined("Content-Length") == "\(expected.utf8.count)")
    }

    @Test(
        "If-Range allows a range only with an equal strong validator",
        arguments: [
            ("\"v1\"", nil, 206), ("\"v2\"", nil, 200), ("W/\"v1\"", nil, 200), ("\"v1\"", "W/\"v1\"", 200),
            ("Wed, 31 Dec 2025 23:59:00 GMT", nil, 206), ("Wednesday, 31-Dec-25 23:59:00 GMT", nil, 206),
            ("Wed, 31 Dec 2025 23:58:59 GMT", nil, 200), ("Thu, 01 Jan 2026 00:00:00 GMT", nil, 200),
            ("soon", nil, 200),
        ] as [(String, String?, Int)]
    )
    func ifRange(value: String, tag: String?, status: Int) {
        let fields = [ServedField("Range", "bytes=0-1"), ServedField("If-Range", value)]
        let reply = reply(fields) { answer in
            if let tag { answer.entityTag = .literal(tag) }
        }
        #expect(reply.head.status == status)
    }

    @Test("A date in the second of the change is not a strong validator")
    func youngDate() {
        let fields = [
            ServedField("Range", "bytes=0-1"), ServedField("If-Range", "Thu, 01 Jan 2026 00:00:00 GMT"),
        ]
        #expect(reply(fields) { $0.lastModified = .offset(.zero) }.head.status == 200)
    }

    @Test(
        "Range applies to a GET that would be a 200, after the preconditions, if ranges are offered",
        arguments: [
            ("HEAD", [], RangeSupport.offered, 200, 200), ("POST", [], .offered, 200, 200),
            ("GET", [ServedField("If-None-Match", "\"v1\"")], .offered, 200, 304),
            ("GET", [ServedField("If-Match", "\"v2\"")], .offered, 200, 412),
            ("GET", [ServedField("If-Match", "\"v1\"")], .offered, 200, 206),
            ("GET", [], .offered, 404, 404), ("GET", [], .ignored, 200, 200), ("GET", [], .refused, 200, 200),
            ("GET", [], .single, 200, 206),
        ]
    )
    func scope(method: String, fields: [ServedField], support: RangeSupport, status: Int, expected: Int) {
        let reply = reply([ServedField("Range", "bytes=0-1")] + fields, method: method) { answer in
            answer.ranges = support
            answer.status = status
        }
        #expect(reply.head.status == expected)
    }

    @Test(
        "The advertised support of ranges is the actual one",
        arguments: [
            (RangeSupport.ignored, nil), (.offered, "bytes"), (.single, "bytes"), (.refused, "none"),
        ] as [(RangeSupport, String?)]
    )
    func acceptRanges(support: RangeSupport, expected: String?) {
        #expect(reply([]) { $0.ranges = support }.head.fields.combined("Accept-Ranges") == expected)
    }

    @Test("If only one range is supported, several get the whole content")
    func onlySingle() {
        #expect(reply([ServedField("Range", "bytes=0-1,3-4")]) { $0.ranges = .single }.head.status == 200)
    }

    @Test("A range of coded content consists of its coded bytes")
    func codedRange() throws {
        let fields = [ServedField("Range", "bytes=0-1"), ServedField("Accept-Encoding", "gzip")]
        let reply = reply(fields) { $0.gzip = .offered }
        guard
            case .content(let piece, _, _)? = reply.steps.first(where: {
                if case .content = $0 { true } else { false }
            })
        else {
            Issue.record("no content")
            return
        }
        // RFC 1952 §2.3.1: the magic numbers of gzip.
        #expect(piece.bytes().map { Array($0) } == [0x1F, 0x8B])
    }

    @Test("A request with a validator in If-Range does not get the metadata again")
    func metadata() {
        let plain = reply([ServedField("Range", "bytes=0-1")])
        #expect(plain.head.fields.combined("Content-Type") == "text/plain")
        let conditional = reply([ServedField("Range", "bytes=0-1"), ServedField("If-Range", "\"v1\"")])
        #expect(conditional.head.fields.combined("Content-Type") == nil)
        #expect(conditional.head.fields.combined("ETag") == "\"v1\"")
    }

    @Test(
        "Of content without bytes, a suffix is the whole, and any other range is unsatisfiable",
        arguments: [("bytes=-1", 200), ("bytes=0-, -5", 200), ("bytes=0-0", 416), ("bytes=-0", 416)]
    )
    func empty(range: String, status: Int) {
        let reply = reply([ServedField("Range", range)]) { $0.body = .text("") }
        #expect(reply.head.status == status)
    }
}
