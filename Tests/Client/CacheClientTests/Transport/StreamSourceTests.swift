import Locks
import Testing

@testable import CacheClient

@Suite("The content of a request that is produced while it is sent", .timeLimit(.minutes(20)))
struct StreamSourceTests {
    /// A stream that a test continues, and the source that reads it.
    private struct Fixture {
        let source: StreamSource
        let pieces: AsyncThrowingStream<[UInt8], any Error>.Continuation
        /// One element each time that the source resumes the exchange.
        let resumes: AsyncStream<Void>

        init(length: Int? = nil) {
            let (stream, pieces) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            let (resumes, resume) = AsyncStream<Void>.makeStream()
            (self.pieces, self.resumes) = (pieces, resumes)
            let upload = UploadStream(length: length.map { .bytes($0) }, pieces: stream)
            source = StreamSource(upload)
            source.prepare(upload, executor: nil) { resume.yield() }
        }

        /// Returns the next bytes as text, nothing at the end, "later" or the detail of the error.
        func read(_ count: Int = 100) -> String {
            var buffer = [UInt8](repeating: 0, count: count)
            return switch buffer.withUnsafeMutableBytes({ source.read(into: $0) }) {
            case .bytes(let read): String(decoding: buffer[..<read], as: UTF8.self)
            case .later: "later"
            case .failed(let error): error.detail
            }
        }

        /// Reads as soon as there is something to read.
        func readLater() async -> String {
            for await _ in resumes { break }
            return read()
        }

        func yield(_ text: String) { pieces.yield(Array(text.utf8)) }
    }

    @Test("Pieces are read as they are produced, and the end is the stream's")
    func pieces() async {
        let fixture = Fixture()
        #expect(fixture.source.length == nil)
        #expect(fixture.read() == "later")
        fixture.yield("abcdef")
        for await _ in fixture.resumes { break }
        #expect(fixture.read(4) == "abcd")
        #expect(fixture.read(4) == "ef")
        #expect(fixture.read() == "later")
        // An empty piece is nothing to be read.
        fixture.yield("")
        fixture.yield("g")
        #expect(await fixture.readLater() == "g")
        #expect(fixture.read() == "later")
        fixture.pieces.finish()
        #expect(await fixture.readLater() == "")
        #expect(fixture.read() == "")
    }

    @Test("The last byte is sent once the stream has ended")
    func lastByte() async {
        let fixture = Fixture(length: 3)
        #expect(fixture.source.length == 3)
        #expect(fixture.read() == "later")
        fixture.yield("abc")
        #expect(await fixture.readLater() == "ab")
        #expect(fixture.read() == "later")
        fixture.pieces.finish()
        #expect(await fixture.readLater() == "c")
        #expect(fixture.read() == "")
    }

    @Test("A stream of another length fails, and what is too much is not sent", arguments: ["ab", "abcd"])
    func wrongLength(text: String) async {
        let fixture = Fixture(length: 3)
        #expect(fixture.read() == "later")
        fixture.yield(text)
        #expect(await fixture.readLater() == "ab")
        // A stream that is already too long need not end.
        if text.utf8.count < 3 { fixture.pieces.finish() }
        var last = fixture.read()
        if last == "later" { last = await fixture.readLater() }
        let found = text.utf8.count < 3 ? "2" : "more than 3"
        #expect(last == "The request content has \(found) bytes, and its length was given as 3.")
    }

    @Test("The error of a stream fails the request, after what was produced before")
    func error() async {
        let fixture = Fixture()
        #expect(fixture.read() == "later")
        fixture.yield("ab")
        #expect(await fixture.readLater() == "ab")
        #expect(fixture.read() == "later")
        fixture.pieces.finish(throwing: TransportError(.unknown, "It broke."))
        #expect(await fixture.readLater() == "The request content could not be read to the end: It broke..")
    }

    @Test("Nothing is produced before content is requested, and nothing after the request is over")
    func stopped() async {
        let isProduced = Lock(false)
        let stream = AsyncStream<[UInt8]> {
            isProduced.withLock { $0 = true }
            return [1]
        }
        let upload = UploadStream(pieces: stream)
        let source = StreamSource(upload)
        source.prepare(upload, executor: nil) {}
        source.stop()
        var byte: [UInt8] = [0]
        guard case .bytes(0) = byte.withUnsafeMutableBytes({ source.read(into: $0) }) else {
            Issue.record("a request that is over has more content")
            return
        }
        #expect(!isProduced.withLock { $0 })
    }

    @Test("A stream is asked for the next piece when the last few have been sent")
    func backpressure() async {
        let produced = Lock(0)
        let (resumes, resume) = AsyncStream<Void>.makeStream()
        let stream = AsyncStream<[UInt8]> {
            produced.withLock { $0 += 1 }
            return [UInt8](repeating: 1, count: 64 << 10)
        }
        let upload = UploadStream(pieces: stream)
        let source = StreamSource(upload)
        source.prepare(upload, executor: nil) { resume.yield() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var read = 0
        var news = resumes.makeAsyncIterator()
        while read < 64 {
            if case .bytes = buffer.withUnsafeMutableBytes({ source.read(into: $0) }) {
                read += 1
                #expect(produced.withLock { $0 } <= read + 8)
            } else {
                await news.next()
            }
        }
        source.stop()
    }

    @Test("What has been taken cannot be sent again")
    func rewind() async {
        let fixture = Fixture()
        #expect(fixture.source.rewind(to: 0))
        #expect(!fixture.source.rewind(to: 1))
        #expect(fixture.read() == "later")
        fixture.yield("abc")
        #expect(await fixture.readLater() == "abc")
        #expect(!fixture.source.rewind(to: 0))
        #expect(fixture.source.rewind(to: 3))
    }
}
