import CacheStorage
import HTTPTypes
import Testing

@testable import CacheClient

@Suite("Heads and trailers, RFC 9112 §2.2, §4, §5")
struct HeadParserTests {
    private static let notHTTP = "The server's response is not HTTP."
    private static let tooManyFields = "The server's response has too many fields."

    @Test(
        "A status line has a version, a status of three digits and any reason",
        arguments: [
            ("HTTP/1.1 200 OK", .http11, 200, "OK"), ("HTTP/1.0 404 Not Found", .http10, 404, "Not Found"),
            ("HTTP/1.1 204 ", .http11, 204, ""), ("HTTP/1.1 204", .http11, 204, ""),
            ("HTTP/1.2 299 x", .http11, 299, "x"), ("HTTP/1.9 909 x", .http11, 909, "x"),
        ] as [(String, HTTPVersion, Int, String)]
    )
    func statusLine(_ line: String, version: HTTPVersion, code: Int, reason: String) {
        let parser = Reader()
        let response = parser.response(to: line + "\r\n\r\n")
        #expect(response?.status.code == code)
        #expect(response?.status.reasonPhrase == reason)
        #expect(parser.version == version)
        #expect(parser.isComplete)
    }

    @Test(
        "Any other first line is not HTTP",
        arguments: [
            "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 20 OK", "HTTP/1.1 2000", "HTTP/1.1 200OK",
            "HTTP/1.1 20: OK", "HTTP/1.1 /00 OK", "HTTP/1.1  200 OK", "HTTP/1.10 200 OK", "HTTP/1. 200 OK",
            "HTTP/1.: 200 OK", "HTTP/1.x 200 OK", "HTTP/2.0 200 OK", "HTTP/0.9 200 OK", "HTTP/1,1 200 OK",
            "http/1.1 200 OK", "ICY 200 OK", "XXXXX1.1 200 OK", "HTTP/2 200",
        ]
    )
    func noStatusLine(_ line: String) {
        let parser = Reader()
        #expect(parser.results(of: line + "\r\n\r\n") == [Self.notHTTP])
        #expect(!parser.isComplete)
    }

    @Test("A head of HTTP/2 is accepted only over TLS, even if the last one was the same")
    func http2() {
        let parser = Reader()
        let head = "HTTP/2 200 \r\nA: 1\r\n\r\n"
        for (isSecure, result) in [
            (false, Self.notHTTP), (true, "final 200"), (true, "final 200"), (false, Self.notHTTP),
        ] {
            #expect(parser.results(of: head, acceptsHTTP2: isSecure) == [result])
        }
        #expect(parser.results(of: "HTTP/1.1 200 OK\r\n\r\n", acceptsHTTP2: true) == ["final 200"])
    }

    @Test(
        "The value of a field line has neither blanks around it nor line breaks",
        arguments: [
            ("X: a", "a"), ("X:a", "a"), ("X:  a \t", "a"), ("X:\ta", "a"), ("X:", ""), ("X: ", ""),
            ("X: a:b", "a:b"), ("X : a", "a"), ("X\t: a", "a"), ("X: a\r\n b", "a b"), ("X: a\r\n\tb", "a b"),
            ("X: a\r\n  b \r\n\t c", "a b c"), ("X:\r\n a", "a"), ("X: a\r\n ", "a"),
        ]
    )
    func fieldLine(_ line: String, value: String) {
        for end in ["\r\n", "\n"] {
            let parser = Reader()
            let text = "HTTP/1.1 200 OK\(end)A: 1\(end)\(line)\(end)Y: 2\(end)\(end)"
            let fields = parser.response(to: text)?.headerFields.map { "\($0.name.rawName)=\($0.value)" }
            #expect(fields == ["A=1", "X=" + value, "Y=2"])
        }
    }

    /// Heads that are alike, with the fields of each.
    private static let alike: [(text: String, version: HTTPVersion, fields: [String])] = [
        ("HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\n", .http11, ["A=1", "B=2"]),
        ("HTTP/1.0 200 OK\r\nA: 1\r\nB: 2\r\n\r\n", .http10, ["A=1", "B=2"]),
        ("HTTP/1.1 200 OK\r\nA: 1\r\nB: 3\r\n\r\n", .http11, ["A=1", "B=3"]),
        ("HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", .http11, ["A=1"]),
        ("HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n", .http11, ["A=1", "B=2", "C=3"]),
        ("HTTP/1.1 200 OK\r\nA: 12\r\n\r\n", .http11, ["A=12"]), ("HTTP/1.1 200 OK\r\n\r\n", .http11, []),
        ("HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\n\n", .http11, ["A=1", "B=2"]),
        ("HTTP/1.1 200 OK\r\nA: 1\r\n B: 2\r\n\r\n", .http11, ["A=1 B: 2"]),
    ]

    @Test(
        "A head is read like any other, however much of it the last one had",
        arguments: alike.indices,
        alike.indices
    )
    func familiar(first: Int, second: Int) {
        for interim in ["", "HTTP/1.1 103 Early Hints\r\nA: 1\r\n\r\n"] {
            let parser = Reader()
            _ = parser.results(of: Self.alike[first].text)
            let fields = parser.response(to: interim + Self.alike[second].text)?.headerFields
            #expect(fields?.map { "\($0.name.rawName)=\($0.value)" } == Self.alike[second].fields)
            #expect(parser.version == Self.alike[second].version)
            let results = parser.results(of: interim + Self.alike[first].text)
            #expect(results == (interim.isEmpty ? [] : ["interim 103"]) + ["final 200"])
        }
    }

    @Test("What had arrived of a head when its exchange ended is no part of the next one", arguments: 1...4)
    func interrupted(lines: Int) {
        let head = "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n"
        for isFamiliar in [false, true] {
            let parser = Reader()
            if isFamiliar { _ = parser.results(of: head) }
            let start = head.split(separator: "\r\n").prefix(lines).map { $0 + "\r\n" }.joined()
            #expect(parser.results(of: start) == [])
            #expect(parser.response(to: "HTTP/1.1 200 OK\r\nA: 1\r\nX: 2\r\n\r\n")?.headerFields.count == 2)
            #expect(parser.response(to: head)?.headerFields.count == 3)
        }
    }

    @Test("A head has at most 256 KiB", arguments: [(256 << 10, true), (256 << 10 + 1, false)])
    func largeHead(count: Int, isAccepted: Bool) {
        let (start, end) = ("HTTP/1.1 200 OK\r\nX: ", "\r\n\r\n")
        let value = String(repeating: "x", count: count - start.utf8.count - end.utf8.count)
        let parser = Reader()
        let result = parser.results(of: start + value + end)
        #expect(result.first == (isAccepted ? "final 200" : "The server's response has too large a head."))
    }

    @Test("A head has at most 10,000 fields, and so have trailers", arguments: [10_000, 10_001])
    func manyFields(count: Int) {
        let lines = String(repeating: "a:b\r\n", count: count)
        let parser = Reader()
        let result = parser.results(of: "HTTP/1.1 200 OK\r\n" + lines + "\r\n")
        #expect(result == [count > 10_000 ? Self.tooManyFields : "final 200"])
        _ = parser.results(of: "HTTP/1.1 200 OK\r\n\r\n")
        #expect(parser.more(lines + "\r\n") == (count > 10_000 ? [Self.tooManyFields] : []))
    }

    @Test("Trailers are apart from the head, and those of one response are not those of the next")
    func trailers() {
        let parser = Reader()
        let response = parser.response(to: "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n")
        #expect(!parser.hasTrailers)
        #expect(parser.more("T: 1\r\n\r\n") == [])
        #expect(response?.headerFields.count == 1)
        #expect(parser.trailers.map { "\($0.name.rawName)=\($0.value)" } == ["T=1"])
        _ = parser.results(of: "HTTP/1.1 200 OK\r\n\r\n")
        #expect(!parser.hasTrailers)
        #expect(parser.trailers.isEmpty)
    }

    @Test("A switch of protocols that was not requested is rejected, RFC 9110 §15.2.2")
    func switching() {
        let parser = Reader()
        #expect(
            parser.results(of: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n") == [
                "The server switched protocols without being asked to."
            ]
        )
        #expect(parser.results(of: "HTTP/1.1 102 Processing\r\n\r\n") == ["interim 102"])
        #expect(parser.results(of: "HTTP/1.1 100 Continue\r\n\r\n") == ["interim 100"])
        #expect(parser.results(of: "HTTP/1.1 199 x\r\n\r\n") == ["interim 199"])
    }
}

/// A parser as an object, because expectations cannot change a value.
private final class Reader {
    private var parser = HeadParser()
    var isComplete: Bool { parser.isComplete }
    var version: HTTPVersion { parser.version }
    var trailers: HTTPFields { parser.trailers }
    var hasTrailers: Bool { parser.hasTrailers }

    /// Begins a response; returns what its lines lead to, without those after which nothing is complete.
    func results(of text: String, acceptsHTTP2: Bool = false) -> [String] {
        parser.begin(acceptsHTTP2: acceptsHTTP2)
        return more(text)
    }

    /// Returns the results of further lines.
    func more(_ text: String) -> [String] {
        steps(text).compactMap { step in
            switch step {
            case .incomplete: nil
            case .interim(let response): "interim \(response.status.code)"
            case .final(let response): "final \(response.status.code)"
            case .malformed(let problem): problem
            }
        }
    }

    /// Begins a response, and returns its final head.
    func response(to text: String) -> HTTPResponse? {
        parser.begin()
        for case .final(let response) in steps(text) { return response }
        return nil
    }

    private func steps(_ text: String) -> [HeadParser.Step] {
        text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            .map { line in (Array(line) + [0x0A]).withUnsafeBytes { parser.take($0) } }
    }
}
