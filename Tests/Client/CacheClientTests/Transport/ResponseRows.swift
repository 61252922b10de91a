import Testing

/// Responses that libcurl, or a parser behind it, could misread.
enum ResponseRows {
    private static let hints = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"

    static let fieldLines: [ResponseRow] = [
        .lines("the first field line is folded", " X: y"),
        .lines("the first field line is folded by a tab", "\tX: y"),
        .lines("the first line is blanks", "  "),
        ResponseRow("only field line folded", "HTTP/1.1 200 OK", " Content-Length: 5"),
        ResponseRow(
            "folded behind an interim response",
            "HTTP/1.1 200 OK",
            " X: y",
            "Content-Length: 5",
            interim: hints
        ),
        ResponseRow(
            "folded in an interim response",
            "HTTP/1.1 200 OK",
            "Content-Length: 5",
            interim: "HTTP/1.1 103 Early Hints\r\n Link: <a>\r\n\r\n"
        ),
        .lines("the first line has no colon", "X"),
        .lines("a later line has no colon", "A: b", "X"),
        ResponseRow(
            "an interim response of a version that there is not",
            "HTTP/1.1 200 OK",
            "Content-Length: 5",
            interim: "HTTP/;.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
        ),
        .lines("a name is empty", ": x"),
        .lines("a later name is empty", "A: b", " : x", ": y"),
        .lines("a name has a blank", "X Y: 1"),
        .lines("a name has a NUL", "X\0: 1"),
        .lines("a value has a NUL", "X: 1\0"),
        .lines("a name has a bare CR", "X\rY: 1"),
        .lines("a line begins with a bare CR", "A: b", "\rX: 1"),
        .lines("a name has a letter beyond ASCII", "X\u{E4}: 1"),
        ResponseRow(
            "a folded trailer",
            "HTTP/1.1 200 OK",
            "Transfer-Encoding: chunked",
            body: "5\r\nhello\r\n0\r\n X: y\r\n\r\n"
        ),
        ResponseRow(
            "a trailer without a colon",
            "HTTP/1.1 200 OK",
            "Transfer-Encoding: chunked",
            body: "5\r\nhello\r\n0\r\nX\r\n\r\n"
        ),
        .lines(
            "a head larger than 256 KiB",
            "A: b",
            String(repeating: "X: \(String(repeating: "y", count: 1_000))\r\n", count: 270) + "Z: z"
        ),
    ]

    static let lengths: [ResponseRow] =
        [
            " 0x5", " +5", " -5", " 5a", " 5.0", " 5 5", " 5;", " \"5\"", " 5 junk", "", " ", " ,5", " 5,",
            " 5,,5",
            " 5, 6", " 5, five", " 9223372036854775808", " 99999999999999999999", " 5\r\n 6", "\r\n 5",
            " \u{665}",
        ].map(ResponseRow.length) + [
            ResponseRow("whitespace before the colon", "HTTP/1.1 200 OK", "Content-Length : 5"),
            ResponseRow(
                "lengths that differ by line",
                "HTTP/1.1 200 OK",
                "Content-Length: 5",
                "Content-Length: 6"
            ),
            ResponseRow(
                "an invalid one beside chunks",
                "HTTP/1.1 200 OK",
                "Transfer-Encoding: chunked",
                "Content-Length: 5x"
            ),
            ResponseRow("of a 304", "HTTP/1.1 304 Not Modified", "Content-Length: 5x", body: ""),
            ResponseRow("of a 204", "HTTP/1.1 204 No Content", "Content-Length: 0x0", body: ""),
            ResponseRow(
                "of an interim response",
                "HTTP/1.1 200 OK",
                interim: "HTTP/1.1 103 Early Hints\r\nContent-Length: 2\r\n\r\n"
            ),
        ]

    static let codings: [ResponseRow] =
        [
            "gzip", "x-gzip", "GZIP", "deflate", "compress", "x-compress", "identity", "trailers",
            "gzip, chunked",
            "chunked, gzip", "chunked, chunked", "chunked;q=1", "chunked;", "\"chunked\"", "", "xx yy",
            "xx, yy",
            "xx, chunked", "chunked, xx", "xx;a=b", ",", ",xx", "chun\u{212A}ed",
            "chunked\r\nTransfer-Encoding: chunked",
        ].map { ResponseRow.coding($0) } + [
            .coding("chunked", version: "1.0"), .coding("xx", version: "1.0"),
            ResponseRow("folded", "HTTP/1.1 200 OK", "Transfer-Encoding:", " chunked", body: "0\r\n\r\n"),
            ResponseRow(
                "whitespace before the colon",
                "HTTP/1.1 200 OK",
                "Transfer-Encoding : chunked",
                body: "0\r\n\r\n"
            ),
            ResponseRow("of a 304", "HTTP/1.1 304 Not Modified", "Transfer-Encoding: gzip", body: ""),
            ResponseRow(
                "of an interim response",
                "HTTP/1.1 200 OK",
                "Content-Length: 5",
                interim: "HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n"
            ),
        ]

    static let accepted: [ResponseRow] = [
        .lines("a later line that is folded", "X: a", "  b"),
        .lines("whitespace before the colon", "X : a b"),
        .lines("a bare CR in a value", "X: a\rb"),
        ResponseRow("equal lengths in one line", "HTTP/1.1 200 OK", "X: a b", "Content-Length: 5, 5"),
        ResponseRow(
            "equal lengths in two lines",
            "HTTP/1.1 200 OK",
            "X: a b",
            "Content-Length: 5",
            "Content-Length:5"
        ),
        ResponseRow("zeros before the length", "HTTP/1.1 200 OK", "X: a b", "Content-Length: 005"),
        ResponseRow("a coding that is not registered", "HTTP/1.1 200 OK", "X: a b", "Transfer-Encoding: xx"),
        ResponseRow(
            "such a coding and a length",
            "HTTP/1.1 200 OK",
            "X: a b",
            "Content-Length: 2",
            "Transfer-Encoding: xx"
        ),
        ResponseRow(
            "chunks and a length",
            "HTTP/1.1 200 OK",
            "X: a b",
            "Content-Length: 2",
            "Transfer-Encoding: Chunked",
            body: "5\r\nhello\r\n0\r\n\r\n"
        ),
        ResponseRow(
            "a list with empty members",
            "HTTP/1.1 200 OK",
            "X: a b",
            "Transfer-Encoding: ,chunked ,, ",
            body: "5\r\nhello\r\n0\r\n\r\n"
        ),
        ResponseRow("HTTP/1.0 until the connection is closed", "HTTP/1.0 200 OK", "X: a b"),
    ]

    /// All responses that are rejected.
    static let rejected = fieldLines + lengths + codings
}

/// A response, byte for byte.
struct ResponseRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let head: String
    var body = "hello"
    /// An interim response before it.
    var interim = ""

    init(_ description: String, _ lines: String..., body: String = "hello", interim: String = "") {
        testDescription = description
        head = lines.map { $0 + "\r\n" }.joined() + "\r\n"
        self.body = body
        self.interim = interim
    }

    var text: String { interim + head + body }

    /// Returns a head with a length, a lifetime and other lines.
    static func lines(_ description: String, _ lines: String...) -> ResponseRow {
        let all = ["HTTP/1.1 200 OK"] + lines + ["Cache-Control: max-age=60", "Content-Length: 5"]
        return ResponseRow(description, all.joined(separator: "\r\n"))
    }

    /// Returns a head whose length cannot be trusted.
    static func length(_ value: String) -> ResponseRow {
        ResponseRow(
            "Content-Length: '\(value)'",
            "HTTP/1.1 200 OK",
            "Cache-Control: max-age=60",
            "Content-Length:\(value)"
        )
    }

    /// Returns a head whose transfer coding cannot be trusted.
    static func coding(_ value: String, version: String = "1.1") -> ResponseRow {
        ResponseRow(
            "Transfer-Encoding: '\(value)' in HTTP/\(version)",
            "HTTP/\(version) 200 OK",
            "Cache-Control: max-age=60",
            "Transfer-Encoding: \(value)",
            body: "5\r\nhello\r\n0\r\n\r\n"
        )
    }
}
