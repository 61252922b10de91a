import HTTPTypes
import TestSupport
import Testing

@testable import CacheSemantics

@Suite("Ranges of a multipart/byteranges, RFC 9110 §14.6")
struct SeparatedRangesTests {
    private func ranges(_ type: String) -> SeparatedRanges? {
        SeparatedRanges(fields(["Content-Type: \(type)"]))
    }

    /// Returns the parts as `0-1@29 5-6@60 of 10 text/plain`, or `nil`.
    private func read(_ content: String, boundary: String = "x") -> String? {
        guard let read = ranges("multipart/byteranges; boundary=\(boundary)")?.parts(of: Array(content.utf8))
        else { return nil }
        let parts = read.parts.map { "\($0.range.first)-\($0.range.last)@\($0.offset)" }
        return parts.joined(separator: " ") + " of \(read.completeLength.map { "\($0)" } ?? "*")"
            + (read.type.map { " " + $0 } ?? "")
    }

    @Test(
        "A boundary is a token or a quoted string, at any position among the parameters",
        .checks("rfc9110.15.3.7.2.separated"),
        arguments: [
            ("multipart/byteranges; boundary=x", true), ("MULTIPART/ByteRanges;BOUNDARY=x", true),
            ("multipart/byteranges; a=b; boundary=\"x\"", true), ("multipart/byteranges", false),
            ("multipart/byteranges; boundary=", false), ("multipart/byteranges; boundary=\"\"", false),
            ("multipart/mixed; boundary=x", false), ("text/plain; boundary=x", false),
            ("multipart/byteranges; boundary=\(String(repeating: "x", count: 71))", false),
            ("multipart/byteranges; boundary=\"xy", false), ("multipart/byteranges; boundary=yx\"", false),
        ]
    )
    func boundary(type: String, isThere: Bool) {
        let content = Array("--x\r\nContent-Range: bytes 0-0/1\r\n\r\na\r\n--x--".utf8)
        #expect((ranges(type)?.parts(of: content) != nil) == isThere)
    }

    @Test(
        "A boundary has 1 to 70 characters and no escape, RFC 2046 §5.1.1",
        arguments: [
            (String(repeating: "x", count: 70), true), (String(repeating: "x", count: 71), false),
            ("\"\(String(repeating: "x", count: 70))\"", true), ("x", true), ("", false), ("\"\"", false),
            ("\"a\\b\"", false),
        ]
    )
    func boundaryText(text: String, isAllowed: Bool) {
        #expect((ranges("multipart/byteranges; boundary=\(text)") != nil) == isAllowed)
    }

    @Test(
        "Well-formed content is split, in ascending order",
        arguments: [
            (
                "--x\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--x\r\nContent-Range: bytes 5-6/10\r\n\r\n56\r\n--x--",
                "0-1@36 5-6@76 of 10"
            ),
            (
                "\r\n--x \r\ncontent-range:bytes 5-5/*\r\nContent-Type: a/b\r\nOther: 1\r\n\r\n5\r\n"
                    + "--x\r\nContent-Type:a/b\r\nContent-Range: bytes 0-0/*\r\n\r\n0\r\n--x--\r\nepilogue",
                "0-0@122 5-5@66 of * a/b"
            ),
            // The bytes of a part are counted, so a boundary within them is not one.
            ("--x\r\nContent-Range: bytes 0-6/10\r\n\r\n\r\n--x--\r\n--x--", "0-6@36 of 10"),
        ]
    )
    func apart(content: String, parts: String) {
        #expect(read(content) == parts)
    }

    @Test(
        "Malformed content is not split",
        .checks("rfc9111.3.3.partial-not-stored"),
        arguments: [
            "", "--x--", "--x\r\n\r\na\r\n--x--", "--y\r\nContent-Range: bytes 0-0/1\r\n\r\na\r\n--y--",
            "--x\r\nContent-Range: bytes 0-0/1\r\n\r\na",
            "--x\r\nContent-Range: bytes 0-1/1\r\n\r\nab\r\n--x--",
            "--x\r\nContent-Range: bytes 0-1/9\r\n\r\na\r\n--x--",
            "--x\r\nContent-Range: bytes 0-0/9\r\n\r\nab\r\n--x--",
            "--x\r\nContent-Range: bytes 0-0/9\n\na\n--x--",
            "--x\r\nContent-Range: lines 0-0/9\r\n\r\na\r\n--x--",
            "--x\r\nContent-Range: bytes 0-0/9\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n--x--",
            "--x\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n--x\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n--x--",
            "--x\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n--x\r\nContent-Range: bytes 1-1/8\r\n\r\na\r\n--x--",
            "--x\r\nContent-Type: a/b\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n"
                + "--x\r\nContent-Type: a/c\r\nContent-Range: bytes 1-1/9\r\n\r\na\r\n--x--",
            "--x\r\nContent-Range: bytes 0-576460752303423487/576460752303423488\r\n\r\na\r\n--x--",
            "preamble\r\n--x\r\nContent-Range: bytes 0-0/1\r\n\r\na\r\n--x--",
        ]
    )
    func notApart(content: String) {
        #expect(read(content) == nil)
    }

    @Test("The stored response has the head of the representation, and not that of the message")
    func head() throws {
        let settled = CacheEngine().exchange(
            request("Range: bytes=0-1,5-6"),
            response(
                "Cache-Control: max-age=60",
                "Content-Type: multipart/byteranges; boundary=x",
                "Content-Length: 115",
                status: 206
            )
        )
        guard case .putSeparated(let stored, let ranges)? = settled.edits.first else {
            Issue.record("nothing is put")
            return
        }
        let content =
            "--x\r\nContent-Type: a/b\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n"
            + "--x\r\nContent-Type: a/b\r\nContent-Range: bytes 5-6/10\r\n\r\n56\r\n--x--"
        let made = try #require(CacheEngine().separated(stored, ranges, content: Array(content.utf8)))
        #expect(made.stored.response.status == .ok)
        #expect(made.stored.response.headerFields[.contentType] == "a/b")
        #expect(made.stored.response.headerFields[.contentLength] == "10")
        #expect(made.stored.parts == StoredParts([range(0, 1), range(5, 6)], completeLength: 10))
    }
}
