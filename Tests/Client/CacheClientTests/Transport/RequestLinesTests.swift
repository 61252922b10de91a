import HTTPTypes
import Testing

@testable import CacheClient

@Suite("The field lines of a request")
struct RequestLinesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        var fields = HTTPFields()
        var hasContent = false
        let lines: [String]
    }

    /// In libcurl's notation a name with a semicolon is an empty value, and one with nothing but a colon no line.
    static let rows: [Row] = [
        Row(testDescription: "nothing", lines: ["Accept:"]),
        Row(testDescription: "Accept", fields: [.accept: "a/b"], lines: ["Accept: a/b"]),
        Row(testDescription: "an empty value", fields: [.userAgent: ""], lines: ["User-Agent;", "Accept:"]),
        Row(
            testDescription: "framing",
            fields: [.contentLength: "5", .transferEncoding: "chunked", .from: "a"],
            lines: ["From: a", "Accept:"]
        ),
        Row(testDescription: "content", method: .put, hasContent: true, lines: ["Accept:", "Expect:"]),
        Row(
            testDescription: "content that is expected",
            method: .put,
            fields: [.expect: "100-continue"],
            hasContent: true,
            lines: ["Expect: 100-continue", "Accept:"]
        ),
        Row(testDescription: "POST without content", method: .post, lines: ["Accept:", "Content-Length: 0"]),
        Row(testDescription: "PUT without content", method: .put, lines: ["Accept:", "Content-Length: 0"]),
        Row(
            testDescription: "PATCH without content",
            method: .patch,
            lines: ["Accept:", "Content-Length: 0"]
        ),
        Row(testDescription: "DELETE without content", method: .delete, lines: ["Accept:"]),
    ]

    @Test("Lines are the request's fields and what its method and content need", arguments: rows)
    func lines(row: Row) {
        let lines = RequestLines.lines(of: row.fields, row.method, hasContent: row.hasContent)
        #expect(lines.map(\.last) == row.lines.map { _ in 0 })
        #expect(lines.map { String(decoding: $0.dropLast(), as: UTF8.self) } == row.lines)
    }

    @Test("All cookies are one line in the place of the first, RFC 6265 §5.4, RFC 9113 §8.2.3")
    func cookies() throws {
        var fields: HTTPFields = [.accept: "a/b"]
        for value in ["a=1", "", "b=2"] { fields.append(HTTPField(name: .cookie, value: value)) }
        fields[.from] = "c"
        let lines = RequestLines.lines(of: fields, .get, hasContent: false)
        #expect(
            lines.map { String(decoding: $0.dropLast(), as: UTF8.self) } == [
                "Accept: a/b", "Cookie: a=1; b=2", "From: c",
            ]
        )
    }

    @Test("Lines are made again if the fields, the spelling of a name, the method or the content differ")
    func source() throws {
        let fields: HTTPFields = [.accept: "a/b", .from: "c"]
        let source = RequestLines.Source(fields, .post, hasContent: true)
        #expect(source.isMade(of: fields, .post, hasContent: true))
        #expect(!source.isMade(of: fields, .put, hasContent: true))
        #expect(!source.isMade(of: fields, .post, hasContent: false))
        #expect(!source.isMade(of: [.accept: "a/b", .from: "d"], .post, hasContent: true))
        #expect(!source.isMade(of: [.accept: "a/b"], .post, hasContent: true))
        let spelled = HTTPField(name: try #require(HTTPField.Name("FROM")), value: "c")
        var other: HTTPFields = [.accept: "a/b"]
        other.append(spelled)
        #expect(!source.isMade(of: other, .post, hasContent: true))
    }
}
