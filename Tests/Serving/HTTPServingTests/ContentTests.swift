import Testing

@testable import HTTPServing

@Suite("Content as it arrives, RFC 9112 §6 and §7.1")
struct ContentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fields: [(String, String)]
        /// The bytes that arrive, in pieces.
        var pieces: [String]
        var content: String
        var end: String
        /// The bytes behind the content, which belong to the next request.
        var rest = ""
    }

    private static let chunked = [("Transfer-Encoding", "chunked")]

    /// Reads content of at most 20 bytes as `RequestFront` does: bytes that are not used are offered again.
    private func read(_ row: Row) -> (content: String, end: String, rest: String) {
        var check = RequestCheck()
        for (name, value) in row.fields {
            Array(name.utf8).withUnsafeBufferPointer { name in
                Array(value.utf8).withUnsafeBufferPointer { check.see(name: name, value: $0) }
            }
        }
        var content = IncomingContent(check, limit: 20)
        var (body, input, end) = ([UInt8](), [UInt8](), "incomplete")
        for piece in row.pieces {
            input += Array(piece.utf8)
            guard end == "incomplete" else { continue }
            let (used, state) = input.withUnsafeBufferPointer { content.take($0, into: &body) }
            input.removeFirst(used)
            switch state {
            case .incomplete: break
            case .complete: end = "complete"
            case .refused(let problem): end = "\(problem)"
            }
        }
        return (String(decoding: body, as: UTF8.self), end, String(decoding: input, as: UTF8.self))
    }

    @Test(
        "Content ends where its framing says, and what follows is left",
        arguments: [
            Row(
                testDescription: "a length of 0",
                fields: [("Content-Length", "0")],
                pieces: ["GET /"],
                content: "",
                end: "complete",
                rest: "GET /"
            ),
            Row(
                testDescription: "a length, in one piece with the next request",
                fields: [("Content-Length", "3")],
                pieces: ["abcGET /"],
                content: "abc",
                end: "complete",
                rest: "GET /"
            ),
            Row(
                testDescription: "a length, byte by byte",
                fields: [("Content-Length", "3")],
                pieces: ["a", "b", "", "c", "d"],
                content: "abc",
                end: "complete",
                rest: "d"
            ),
            Row(
                testDescription: "a length that is not reached",
                fields: [("Content-Length", "3")],
                pieces: ["ab"],
                content: "ab",
                end: "incomplete"
            ),
            Row(
                testDescription: "chunks and trailers, with the next request",
                fields: chunked,
                pieces: ["3\r\nabc\r\n2;x=\"y\"\r\nde\r\n0\r\nT: 1\r\n\r\nGET /"],
                content: "abcde",
                end: "complete",
                rest: "GET /"
            ),
            Row(
                testDescription: "chunks that are split within their sizes and line ends",
                fields: chunked,
                pieces: ["0000", "3\r", "\nab", "c\r", "\n0", "\r\n", "\r", "\n", "G"],
                content: "abc",
                end: "complete",
                rest: "G"
            ),
            Row(
                testDescription: "chunks without the last one",
                fields: chunked,
                pieces: ["3\r\nabc\r\n"],
                content: "abc",
                end: "incomplete"
            ),
            Row(
                testDescription: "chunks without the end of the trailers",
                fields: chunked,
                pieces: ["0\r\nT: 1\r\n"],
                content: "",
                end: "incomplete"
            ),
            Row(
                testDescription: "chunks that exceed the limit only together",
                fields: chunked,
                pieces: ["14\r\n01234567890123456789\r\n", "1\r\nx"],
                content: "01234567890123456789",
                end: "contentTooLarge",
                rest: "1\r\nx"
            ),
            Row(
                testDescription: "a chunk that is longer than its size",
                fields: chunked,
                pieces: ["1\r\nabc"],
                content: "a",
                end: "malformedChunk",
                rest: "bc"
            ),
        ]
    )
    func framing(row: Row) {
        let (content, end, rest) = read(row)
        #expect(content == row.content)
        #expect(end == row.end)
        #expect(rest == row.rest)
    }

    // MARK: Time limits

    /// Returns a deadline of content that has been requested from the client since the moment 0.
    private static func requested() -> ContentDeadline {
        var deadline = ContentDeadline()
        deadline.setAsked(true, at: .zero)
        return deadline
    }

    @Test(
        "The limit is a minute for the content, and a second for each KiB that has arrived",
        arguments: [0, 10]
    )
    func pace(kibibytes: Int) {
        var deadline = Self.requested()
        deadline.add(kibibytes << 10)
        let limit = Duration.seconds(60 + kibibytes)
        #expect(!deadline.exceeds(TimeLimits(), at: limit))
        #expect(deadline.exceeds(TimeLimits(), at: limit + .milliseconds(1)))
    }

    @Test("The time in which the handler does not read is not counted")
    func paused() {
        var deadline = Self.requested()
        deadline.setAsked(false, at: .seconds(50))
        #expect(!deadline.exceeds(TimeLimits(), at: .seconds(10_000)))
        deadline.setAsked(true, at: .seconds(10_000))
        #expect(!deadline.exceeds(TimeLimits(), at: .seconds(10_010)))
        #expect(deadline.exceeds(TimeLimits(), at: .seconds(10_011)))
    }

    @Test("Starting and stopping again changes nothing")
    func repeated() {
        var deadline = Self.requested()
        deadline.setAsked(true, at: .seconds(40))
        #expect(deadline.exceeds(TimeLimits(), at: .seconds(61)))
        deadline.setAsked(false, at: .seconds(41))
        deadline.setAsked(false, at: .seconds(1000))
        deadline.setAsked(true, at: .seconds(2000))
        #expect(!deadline.exceeds(TimeLimits(), at: .seconds(2019)))
        #expect(deadline.exceeds(TimeLimits(), at: .seconds(2020)))
    }
}
