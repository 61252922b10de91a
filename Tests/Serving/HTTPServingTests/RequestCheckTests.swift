import Testing

@testable import HTTPServing

@Suite("Ambiguous requests, RFC 9112 §3.2, §5 and §6")
struct RequestCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var lines: [(String, String)]
        var isHTTP11 = true
        var problem: RequestProblem?
        var testDescription: String { lines.map { "\($0.0): \($0.1)" }.joined(separator: " | ") }
    }

    @Test(
        "The verdict is the problem of the lines, if any",
        arguments: [
            Row(lines: [("Host", "a")], problem: nil),
            Row(lines: [("hOST", "")], problem: nil),
            Row(lines: [("Host", "[::1]:8090")], problem: nil),
            Row(lines: [("Host", "a b")], problem: .badHost),
            Row(lines: [("Host", "a/b")], problem: .badHost),
            Row(lines: [("Host", "user@a")], problem: .badHost),
            Row(lines: [("Host", "a:")], problem: nil),
            Row(lines: [("Host", "a%41.example:80")], problem: nil),
            Row(lines: [("Host", "[v1.a:b]:80")], problem: nil),
            Row(lines: [("Host", "a:b")], problem: .badHost),
            Row(lines: [("Host", "a:80:80")], problem: .badHost),
            Row(lines: [("Host", "a:-1")], problem: .badHost),
            Row(lines: [("Host", "a%zz")], problem: .badHost),
            Row(lines: [("Host", "a%4")], problem: .badHost),
            Row(lines: [("Host", "[::1")], problem: .badHost),
            Row(lines: [("Host", "[zz]")], problem: .badHost),
            Row(lines: [("Host", "[::1]a")], problem: .badHost),
            Row(lines: [("Host", "[]")], problem: .badHost),
            Row(lines: [("Host", "a]")], problem: .badHost),
            Row(lines: [], problem: .missingHost),
            Row(lines: [], isHTTP11: false, problem: nil),
            Row(lines: [("Host", "a"), ("Host", "a")], problem: .severalHosts),
            Row(lines: [("Host", "a"), ("X\t", "1")], problem: .malformedField),
            Row(lines: [("Host", "a"), ("", "1")], problem: .malformedField),
            Row(lines: [("Host", "a"), ("X", "a\u{1}b")], problem: .malformedField),
            Row(lines: [("Host", "a"), ("X", "a\tb ü")], problem: nil),
            Row(lines: [("Host", "a"), ("Content-Length", "")], problem: .badLength),
            Row(lines: [("Host", "a"), ("Content-Length", "-1")], problem: .badLength),
            Row(lines: [("Host", "a"), ("Content-Length", "99999999999999999999")], problem: .badLength),
            Row(lines: [("Host", "a"), ("Content-Length", "100")], problem: nil),
            Row(lines: [("Host", "a"), ("Content-Length", "101")], problem: .contentTooLarge),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", "Chunked")], problem: nil),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", "identity")], problem: .unknownCoding),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", ",chunked")], problem: nil),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", " , Chunked\t, ,")], problem: nil),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", ",")], problem: .unknownCoding),
            Row(lines: [("Host", "a"), ("Transfer-Encoding", ",chunked,chunked")], problem: .unknownCoding),
        ]
    )
    func verdict(row: Row) {
        var check = RequestCheck()
        for (name, value) in row.lines {
            Array(name.utf8).withUnsafeBufferPointer { nameBytes in
                Array(value.utf8).withUnsafeBufferPointer { check.see(name: nameBytes, value: $0) }
            }
        }
        #expect(check.verdict(isHTTP11: row.isHTTP11, contentLimit: 100) == row.problem)
    }
}
