import HTTPServing
import Testing

@Suite("Prepared responses")
struct PreparedResponseTests {
    @Test(
        "A response is sent with its length or in chunks, RFC 9112 §6",
        arguments: [
            ("ready", false, "X: 1\r\nContent-Length: 5\r\n\r\nready"),
            ("", false, "X: 1\r\nContent-Length: 0\r\n\r\n"),
            ("ready", true, "X: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nready\r\n0\r\n\r\n"),
            (
                "0123456789abcdef", true,
                "X: 1\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n"
            ),
            ("", true, "X: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ]
    )
    func bytes(body: String, isChunked: Bool, expected: String) throws {
        let response = try #require(
            PreparedResponse(
                status: 200,
                fields: [ServedField("X", "1")],
                body: Array(body.utf8),
                isChunked: isChunked
            )
        )
        #expect(String(decoding: response.bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\n" + expected)
    }

    @Test(
        "A status without content or length, or of no response, is not prepared (RFC 9110 §8.6, §15)",
        arguments: [100, 103, 199, 204, 205, 304, 600, 999, 0, -1]
    )
    func status(status: Int) {
        #expect(PreparedResponse(status: status, fields: [], body: [], isChunked: false) == nil)
    }

    @Test(
        "A field that would be sent differently is not prepared",
        arguments: [
            ServedField("Content-Length", "1"), ServedField("transfer-encoding", "chunked"),
            ServedField("Connection", "close"), ServedField("X", "é", isLatin1: true), ServedField("X", ""),
            ServedField("X", "a\r\nY: b"), ServedField("", "a"),
        ]
    )
    func field(field: ServedField) {
        #expect(PreparedResponse(status: 200, fields: [field], body: [], isChunked: false) == nil)
    }

    @Test(
        "Only the standard reason phrase is prepared",
        arguments: [("OK", true), ("Fine", false), ("", false)]
    )
    func reason(reason: String, isPrepared: Bool) {
        let response = PreparedResponse(status: 200, reason: reason, fields: [], body: [], isChunked: false)
        #expect((response != nil) == isPrepared)
    }
}
