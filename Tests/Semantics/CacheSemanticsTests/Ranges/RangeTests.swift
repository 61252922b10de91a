import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Ranges of stored responses, RFC 9111 §3.3, RFC 9110 §14")
struct RangeTests {
    static let whole = stored("Cache-Control: max-age=60", "ETag: \"v1\"", "Content-Type: text/plain")
        .holding(contentLength: 10)

    private static func part(_ lines: [String], of stored: StoredResponse = whole) -> Reuse.Part? {
        CacheEngine().plan(request(lines: lines), [stored], at: 10).reuse?.part
    }

    @Test(
        "A range within the stored content is answered from it",
        .checks("rfc9111.3.3.range-from-stored"),
        arguments: [
            ("bytes=0-1", 0, 1), ("bytes=3-3", 3, 3), ("bytes=5-", 5, 9), ("bytes=-3", 7, 9),
            ("bytes=-99", 0, 9), ("bytes=4-99", 4, 9), ("BYTES=0-1", 0, 1), ("bytes=0-1,", 0, 1),
            ("bytes=0-99999999999999999999", 0, 9), ("bytes=0-0,20-30", 0, 0), ("bytes=0-3,2-5", 0, 5),
            ("bytes=4-5,2-3", 2, 5),
        ] as [(String, Int64, Int64)]
    )
    func single(field: String, first: Int64, last: Int64) {
        #expect(Self.part(["Range: \(field)"]) == .range(range(first, last), length: 10))
    }

    @Test("Several ranges keep the requested order")
    func several() {
        let expected = Reuse.Part.ranges([range(6, 7), range(0, 1)], length: 10)
        #expect(Self.part(["Range: bytes=6-7, 0-1"]) == expected)
    }

    @Test(
        "A Range that is malformed, of an unknown unit or of too many ranges is ignored",
        .checks("rfc9110.14.2.ignored"),
        arguments: [
            "bytes=2-1", "bytes=", "bytes=a-b", "items=0-1", "bytes", "bytes=0-1,x", "bytes=1 - 2", "bytes=-",
            "bytes=--1", "bytes=0x1-2", "bytes=+1-2", "=0-1", "",
            "bytes=" + (0..<65).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","),
        ]
    )
    func ignored(field: String) {
        #expect(Self.part(["Range: \(field)"]) == .whole)
    }

    @Test("Two Range lines are ignored")
    func twoLines() {
        #expect(Self.part(["Range: bytes=0-1", "Range: bytes=3-4"]) == .whole)
    }

    @Test(
        "Ranges that are all beyond the end result in 416",
        .checks("rfc9110.15.5.17.unsatisfiable"),
        arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-", "bytes=10-11,12-"]
    )
    func unsatisfiable(field: String) {
        let reuse = CacheEngine().plan(request("Range: \(field)"), [Self.whole], at: 10).reuse
        #expect(reuse?.part == .unsatisfiable(length: 10))
        #expect(reuse?.response.status.code == 416)
        #expect(reuse?.response.headerFields[.contentRange] == "bytes */10")
        #expect(reuse?.response.headerFields[.contentLength] == "0")
        #expect(reuse?.response.headerFields[.eTag] == nil)
    }

    @Test("The last bytes of an empty representation are the whole of it")
    func empty() {
        let empty = stored("Cache-Control: max-age=60").holding(contentLength: 0)
        #expect(Self.part(["Range: bytes=-5"], of: empty) == .whole)
        #expect(Self.part(["Range: bytes=0-"], of: empty) == .unsatisfiable(length: 0))
    }

    @Test(
        "Range is ignored with HEAD and if the stored response is not a 200",
        .checks("rfc9110.14.2.get-only")
    )
    func otherMethodsAndStatuses() {
        let head = CacheEngine().plan(request("Range: bytes=0-1", method: "HEAD"), [Self.whole], at: 10)
        #expect(head.reuse?.part == .whole)
        #expect(head.held(.rangeOfGet) == true)
        let missing = stored("Cache-Control: max-age=60", status: 404).holding(contentLength: 10)
        #expect(Self.part(["Range: bytes=0-1"], of: missing) == .whole)
    }

    @Test("The head of a range has its position, its length, the stored fields and an Age")
    func head() {
        let reuse = CacheEngine().plan(request("Range: bytes=2-4"), [Self.whole], at: 10).reuse
        let fields = reuse?.response.headerFields
        #expect(reuse?.response.status.code == 206)
        #expect(fields?[.contentRange] == "bytes 2-4/10")
        #expect(fields?[.contentLength] == "3")
        #expect(fields?[.contentType] == "text/plain")
        #expect(fields?[.eTag] == "\"v1\"")
        #expect(fields?[.age] == "10")
    }

    @Test("Several ranges are multipart/byteranges with a length")
    func multipart() throws {
        let reuse = try #require(
            CacheEngine().plan(request("Range: bytes=0-1,6-8"), [Self.whole], at: 10).reuse
        )
        let fields = reuse.response.headerFields
        let type = try #require(fields[.contentType])
        let boundary = try #require(type.split(separator: "=").last)
        #expect(type == "multipart/byteranges; boundary=\(boundary)")
        #expect(fields[.contentRange] == nil)
        let content = (reuse.part.pieces(of: reuse.stored) ?? []).reduce("") { text, piece in
            switch piece {
            case .bytes(let bytes): text + String(decoding: bytes, as: UTF8.self)
            case .range(let range): text + "<\(range.first)-\(range.last)>"
            }
        }
        let expected =
            "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n<0-1>"
            + "\r\n--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes 6-8/10\r\n\r\n<6-8>"
            + "\r\n--\(boundary)--\r\n"
        #expect(content == expected)
        // The two placeholders of five characters represent two bytes and three.
        #expect(fields[.contentLength] == String(expected.utf8.count - 5))
    }

    @Test(
        "If-Range selects between the ranges and the whole",
        .checks("rfc9111.4.3.2.if-range"),
        arguments: [
            ("\"v1\"", true), ("\"v2\"", false), ("W/\"v1\"", false), ("v1", false),
            ("\"v1\", \"v2\"", false),
            ("Wed, 31 Dec 2025 00:00:00 GMT", true), ("Wednesday, 31-Dec-25 00:00:00 GMT", true),
            ("Wed Dec 31 00:00:00 2025", true), ("Thu, 01 Jan 2026 00:00:00 GMT", false),
            ("Tue, 30 Dec 2025 00:00:00 GMT", false), ("yesterday", false),
        ]
    )
    func ifRange(value: String, isHeld: Bool) {
        let entry = stored(
            "Cache-Control: max-age=60",
            "ETag: \"v1\"",
            "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT"
        ).holding(contentLength: 10)
        let part = Self.part(["Range: bytes=0-1", "If-Range: \(value)"], of: entry)
        #expect(part == (isHeld ? .range(range(0, 1), length: 10) : .whole))
    }

    /// Returns the fields that describe the representation, by name.
    private static func describing(_ response: HTTPResponse?) -> [String] {
        let names = ["Content-Language", "Content-Type", "ETag", "Last-Modified", "Vary"]
        return names.filter { name in
            HTTPField.Name(name).map { response?.headerFields.contains($0) == true } == true
        }
    }

    @Test(
        "A 206 for an If-Range that held has no fields that the client has, RFC 9110 §15.3.7",
        arguments: [
            (["Range: bytes=0-1"], ["Content-Language", "Content-Type", "ETag", "Last-Modified", "Vary"]),
            (["Range: bytes=0-1", "If-Range: \"v1\""], ["ETag", "Vary"]),
            (["Range: bytes=0-1,6-7", "If-Range: \"v1\""], ["Content-Type", "ETag", "Vary"]),
            (
                ["Range: bytes=0-1", "If-Range: \"v2\""],
                ["Content-Language", "Content-Type", "ETag", "Last-Modified", "Vary"]
            ),
        ]
    )
    func fieldsAfterIfRange(lines: [String], names: [String]) {
        let entry = stored(
            "Cache-Control: max-age=60",
            "ETag: \"v1\"",
            "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT",
            "Content-Type: text/plain",
            "Content-Language: en",
            "Vary: Accept"
        ).holding(contentLength: 10)
        let response = CacheEngine().plan(request(lines: lines), [entry], at: 10).reuse?.response
        #expect(Self.describing(response) == names)
    }

    @Test("Last-Modified stays in a 206 for If-Range where it is the only validator, RFC 9110 §15.3.7.3")
    func dateAfterIfRange() {
        let date = "Wed, 31 Dec 2025 00:00:00 GMT"
        let entry = stored("Cache-Control: max-age=60", "Last-Modified: \(date)").holding(contentLength: 10)
        let asked = request("Range: bytes=0-1", "If-Range: \(date)")
        let response = CacheEngine().plan(asked, [entry], at: 10).reuse?.response
        #expect(response?.status == .partialContent)
        #expect(response?.headerFields[.lastModified] == date)
    }

    @Test(
        "A 206 to the cache's own If-Range gets the fields that the caller lacks, RFC 9110 §15.3.7",
        arguments: [([String](), ["Content-Type", "Last-Modified"]), (["If-Range: \"v0\""], [String]())]
    )
    func fieldsOfOwnIfRange(lines: [String], names: [String]) {
        let entry = stored(
            "Cache-Control: max-age=60",
            "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT",
            "Content-Type: text/plain"
        ).holding(contentLength: 10)
        let settlement = CacheEngine().exchange(
            request(lines: ["Range: bytes=0-1"] + lines),
            [entry],
            at: 100,
            response("Content-Range: bytes 0-1/10", status: 206, date: 100)
        )
        guard case .origin(let response) = settlement.answer else {
            Issue.record("not the origin's")
            return
        }
        #expect(Self.describing(response) == names)
    }

    @Test("A 206 to the cache's own If-Range does not replace stored parts, because it may lack fields")
    func ownIfRangeReplacesNothing() {
        let date = "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT"
        let entry = PartialContentTests.partial([range(0, 3)], of: 10, "Cache-Control: max-age=60", date)
        let settlement = CacheEngine().exchange(
            request("Range: bytes=0-1"),
            [entry],
            at: 100,
            response("Cache-Control: max-age=60", "Content-Range: bytes 0-1/10", status: 206, date: 100)
        )
        #expect(settlement.edits.isEmpty)
    }

    @Test("A modification date within a minute of Date is not a strong validator for If-Range")
    func weakDate() {
        let line = "Last-Modified: Wed, 31 Dec 2025 23:59:01 GMT"
        let entry = stored("Cache-Control: max-age=60", line).holding(contentLength: 10)
        let lines = ["Range: bytes=0-1", "If-Range: Wed, 31 Dec 2025 23:59:01 GMT"]
        #expect(Self.part(lines, of: entry) == .whole)
    }

    @Test("A stale response is validated with its entity tag alone before a range of it is used")
    func staleRange() {
        let planned = CacheEngine().plan(request("Range: bytes=0-1"), [Self.whole], at: 100)
        #expect(planned.sent?.headerFields == fields(["Range: bytes=0-1", "If-None-Match: \"v1\""]))
        let settlement = CacheEngine().exchange(
            request("Range: bytes=0-1"),
            [Self.whole],
            at: 100,
            response("ETag: \"v1\"", status: 304, date: 100)
        )
        guard case .validated(let reuse, let response) = settlement.answer else {
            Issue.record("not validated")
            return
        }
        #expect(reuse.part == .range(range(0, 1), length: 10))
        #expect(response.status.code == 206)
    }

    @Test(
        "A range of a response with only a strong modification date is requested with If-Range",
        .checks("rfc9111.4.3.1.range")
    )
    func staleRangeOfDated() {
        let date = "Wed, 31 Dec 2025 00:00:00 GMT"
        let entry = stored("Cache-Control: max-age=60", "Last-Modified: \(date)").holding(contentLength: 10)
        let planned = CacheEngine().plan(request("Range: bytes=0-1"), [entry], at: 100)
        #expect(planned.sent?.headerFields == fields(["Range: bytes=0-1", "If-Range: \(date)"]))
        let own = request("Range: bytes=0-1", "If-Range: \"mine\"")
        #expect(CacheEngine().plan(own, [entry], at: 100).sent == own)
    }
}
