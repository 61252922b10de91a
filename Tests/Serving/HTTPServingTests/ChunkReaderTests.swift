import Testing

@testable import HTTPServing

@Suite("Chunked content of a request, RFC 9112 §7.1")
struct ChunkReaderTests {
    /// Returns the decoded content and the end if the text arrives in pieces of a size in bytes.
    private func read(_ text: String, pieces: Int) -> (content: String, end: ChunkReader.Step) {
        var reader = ChunkReader(limit: 100)
        var content: [UInt8] = []
        var input: [UInt8] = []
        for byte in text.utf8 {
            input.append(byte)
            guard input.count >= pieces else { continue }
            while true {
                let step = input.withUnsafeBufferPointer { reader.next($0) }
                switch step {
                case .framing(let count): input.removeFirst(count)
                case .content(let count):
                    content += input.prefix(count)
                    input.removeFirst(count)
                case .incomplete: break
                case .end, .refused: return (String(decoding: content, as: UTF8.self), step)
                }
                if step == .incomplete { break }
            }
        }
        return (String(decoding: content, as: UTF8.self), .incomplete)
    }

    @Test("Content is decoded completely however it is split", arguments: [1, 2, 3, 7])
    func pieces(count: Int) {
        let (content, end) = read(
            "5;a=\"b\"\r\nhello\r\nA\r\n, world!!!\r\n0\r\nX: y\r\n\r\n       ",
            pieces: count
        )
        #expect(content == "hello, world!!!")
        #expect(end == .end(2))
    }

    @Test("A size may have any number of leading zeros")
    func zeros() {
        let (content, end) = read("00000000000000000005\r\nhello\r\n00000000000000000000\r\n\r\n", pieces: 1)
        #expect(content == "hello")
        #expect(end == .end(2))
    }

    @Test(
        "Malformed or too large content is refused",
        arguments: [
            ("65\r\n", RequestProblem.contentTooLarge), ("ffffffffffffffffff\r\n", .contentTooLarge),
            ("-1\r\n", .malformedChunk), ("5\n", .malformedChunk), ("5 5\r\n", .malformedChunk),
            ("\r\n", .malformedChunk), ("1\r\nab\r\n", .malformedChunk), ("1\r\naXX", .malformedChunk),
            ("0\r\nX: a\r\n folded\r\n", .malformedField), ("0\r\nX : a\r\n", .malformedField),
            ("0\r\nno-colon\r\n", .malformedField), ("0\r\n: a\r\n", .malformedField),
            ("0\r\nX: \u{1}\r\n", .malformedField), ("0\r\n X: a\r\n", .malformedField),
        ]
    )
    func refused(text: String, problem: RequestProblem) {
        #expect(read(text, pieces: 1).end == .refused(problem))
    }
}
