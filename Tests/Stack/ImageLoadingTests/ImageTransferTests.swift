import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
@testable import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

private typealias Ends = Heard<Result<DownloadOutcome, ImageError>>

@Suite("One download of an image", .timeLimit(.minutes(20)))
struct ImageTransferTests {
    /// Advances the clock whenever the origin waits for it and everything sent before has arrived, until the
    /// end.
    private func play(_ origin: ImageOrigin, _ ends: Ends, _ progress: Heard<ImageProgress>) async {
        var steps = 0
        await until {
            if !origin.namespace.parked.isEmpty, progress.count > steps {
                origin.clock.advance(by: .seconds(1))
                steps += 1
            }
            return ends.count > 0
        }
    }

    @Test(
        "A download runs independently on the given client, and has the origin's bytes",
        .checks(
            "sdwebimage.operation.self-contained",
            "sdwebimage.operation.success",
            "sdwebimage.operation.accumulates"
        ),
        arguments: [1, 64 << 10]
    )
    func success(piece: Int) async throws {
        let bytes =
            try piece == 1 ? TestImages.png() : PNGCodec().encode(TestImages.noise(300, 300), quality: 1)
        let pieces = [Int](repeating: piece, count: bytes.count / piece)
        let origin = try ImageOrigin([.image("/a", bytes) { $0.chunks = pieces }])
        let content = try #require(
            try await origin.downloader().download(ImageRequest(url: origin.url("/a"))).content
        )
        #expect(content.bytes == bytes)
        #expect(content.image?.header.format == .png)
    }

    @Test(
        "A complete image with a 2xx status is accepted",
        .checks("sdwebimage.operation.status-accepted"),
        arguments: [200, 203]
    )
    func accepted(status: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.status = status }])
        #expect(try await origin.downloader().download(ImageRequest(url: origin.url("/a"))).content != nil)
    }

    @Test(
        "A partial response to a request without a range is an error",
        .checks("sdwebimage.operation.status-accepted")
    )
    func partNotAccepted() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.status = 206 }])
        await #expect(throws: ImageError.self) {
            _ = try await origin.downloader().download(ImageRequest(url: origin.url("/a")))
        }
    }

    @Test(
        "A redirect without a target is an error",
        .checks("sdwebimage.operation.status-accepted"),
        arguments: [300, 305]
    )
    func notAccepted(status: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.status = status }])
        await #expect(throws: ImageError.status(status)) {
            _ = try await origin.downloader().download(ImageRequest(url: origin.url("/a")))
        }
    }

    @Test(
        "An error status immediately ends the transfer with that status as code",
        .checks("sdwebimage.operation.status-error")
    )
    func errorStatus() async throws {
        // More than the socket buffers hold, so that the origin cannot finish before the client closes.
        let size = 64 << 20
        var answer = Answer.status(404)
        answer.body = .generated(size: size)
        let origin = try ImageOrigin([.path("/a", [answer])])
        let ended = Heard<String>()
        let downloader = origin.downloader { $0.onEnd = { ended.add($0) } }
        await #expect(throws: ImageError(domain: .url, code: 404, detail: "")) {
            _ = try await downloader.download(ImageRequest(url: origin.url("/a")))
        }
        await until { origin.aborted == 1 }
        #expect(origin.namespace.record().map { $0.bytesSent.map { $0 < size } } == [true])
        await until { ended.count == 1 }
    }

    @Test(
        "Progress has the bytes received and the bytes expected, starting at 0",
        .checks("sdwebimage.operation.progress", "sdwebimage.operation.expected-size")
    )
    func progress() async throws {
        let bytes = try Array(PNGCodec().encode(TestImages.noise(40, 40), quality: 1).prefix(1000))
        let origin = try ImageOrigin([
            .image("/a", bytes) {
                $0.send(inPieces: [400, 400, 200], of: 1000)
            }
        ])
        let (ends, progress) = (Ends(), Heard<ImageProgress>())
        origin.downloader().receive(
            ImageRequest(url: origin.url("/a")),
            progress: { progress.add($0) },
            completion: { ends.add($0) }
        )
        await play(origin, ends, progress)
        #expect(progress.values.map(\.received.bytes) == [0, 400, 800, 1000])
        #expect(progress.values.allSatisfy { $0.expected == .bytes(1000) })
    }

    @Test(
        "Without an announced length, the expected number is 0, and there are no partial images",
        .checks("sdwebimage.operation.expected-size", "sdwebimage.operation.progressive-conditions")
    )
    func chunked() async throws {
        let bytes = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        let origin = try ImageOrigin([
            .image("/a", bytes) {
                $0.framing = .chunked
                $0.chunks = [bytes.count / 2, bytes.count - bytes.count / 2]
                $0.chunkDelay = .seconds(1)
            }
        ])
        let (ends, progress, partial) = (Ends(), Heard<ImageProgress>(), Heard<PixelSize>())
        origin.downloader().receive(
            ImageRequest(url: origin.url("/a")),
            progress: { progress.add($0) },
            partial: { partial.add($0.size) },
            completion: { ends.add($0) }
        )
        await play(origin, ends, progress)
        #expect(progress.values.first == ImageProgress(received: .zero, expected: .zero))
        #expect(partial.count == 0)
        #expect(ends.contents.first??.bytes == bytes)
    }

    @Test(
        "Partial images have the full size, use all bytes so far, and precede the last bytes",
        .checks(
            "sdwebimage.operation.progressive-canvas",
            "sdwebimage.operation.progressive-all-bytes",
            "sdwebimage.operation.progressive-not-for-last",
            "sdwebimage.operation.progressive-size-once",
            "sdwebimage.downloader.partial-keeps-list"
        )
    )
    func progressive() async throws {
        let bytes = try JPEGCodec().encode(TestImages.noise(64, 48), quality: 1)
        let spy = DecodingSpy()
        // The header is split over the first two pieces.
        let sizes = [10, 2990, 3000, bytes.count - 6000]
        let origin = try ImageOrigin([
            .image("/a", bytes) {
                $0.send(inPieces: sizes, of: bytes.count)
            }
        ])
        let (ends, late, partial) = (Ends(), Ends(), Heard<PixelSize>())
        let progress = Heard<ImageProgress>()
        let downloader = origin.downloader(codecs: ImageCodecs([spy]))
        let request = ImageRequest(url: origin.url("/a"))
        downloader.receive(
            request,
            progress: { progress.add($0) },
            partial: { image in
                partial.add(image.size)
                if partial.count == 1 { downloader.receive(request) { late.add($0) } }
            },
            completion: { ends.add($0) }
        )
        await play(origin, ends, progress)
        // If it had not joined, it would have its own transfer.
        await play(origin, late, progress)
        #expect(partial.values == [PixelSize(width: 64, height: 48), PixelSize(width: 64, height: 48)])
        #expect(spy.partialCounts == [3000, 6000])
        #expect(spy.headers == 2)
        #expect(late.contents.first??.bytes == bytes)
        #expect(origin.hits() == 1)
    }

    @Test(
        "The final image is decoded immediately unless it is an animation",
        .checks("sdwebimage.operation.final-decode")
    )
    func finalDecode() async throws {
        let gif = Array("GIF89a".utf8) + [4, 0, 4, 0, 2, 0, 0]
        let origin = try ImageOrigin([.image("/a.gif", gif), .image("/a.png", TestImages.png())])
        let downloader = origin.downloader(codecs: ImageCodecs([TwoFrameCodec()]))
        let animation = try await downloader.download(ImageRequest(url: origin.url("/a.gif"))).content?.image
        #expect(animation?.isDecoded == false && animation?.header.isAnimated == true)
        let picture = try await downloader.download(ImageRequest(url: origin.url("/a.png"))).content?.image
        #expect(picture?.isDecoded == true)
    }

    @Test(
        "Content without pixels is a distinct error",
        .checks("sdwebimage.operation.zero-pixels"),
        arguments: [[], Array("0123456789 is no image".utf8)] as [[UInt8]]
    )
    func zeroPixels(bytes: [UInt8]) async throws {
        let origin = try ImageOrigin([.image("/a", bytes)])
        await #expect(throws: ImageError(domain: .image, code: 0, detail: "")) {
            _ = try await origin.downloader().download(ImageRequest(url: origin.url("/a")))
        }
    }

    @Test(
        "A broken transfer is one failure, reported once",
        .checks("sdwebimage.operation.failure", "sdwebimage.operation.stop-notification")
    )
    func broken() async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png()) { $0.faults = [Fault(.reset, at: .body, byte: 20)] }
        ])
        let (ends, stops) = (Ends(), Heard<String>())
        let downloader = origin.downloader { $0.onEnd = { stops.add($0) } }
        downloader.receive(ImageRequest(url: origin.url("/a"))) { ends.add($0) }
        await until { stops.count == 1 }
        #expect(ends.errors == [ImageError(domain: .url, code: -1005, detail: "")])
    }

    @Test(
        "The end of a download is reported once, whatever its cause",
        .checks("sdwebimage.operation.stop-notification")
    )
    func stops() async throws {
        let origin = try ImageOrigin([
            .image("/ok", TestImages.png()), .path("/404", [.status(404)]),
            .image("/stalled", TestImages.png()) { $0.hold = .head },
        ])
        let stops = Heard<String>()
        let downloader = origin.downloader { $0.onEnd = { stops.add($0) } }
        for path in ["/ok", "/404"] { downloader.receive(ImageRequest(url: origin.url(path))) { _ in } }
        let stalled = downloader.receive(ImageRequest(url: origin.url("/stalled"))) { _ in }
        await until { origin.hits() == 3 && stops.count == 2 }
        stalled.cancel()
        await until { downloader.runningTransfers == 0 }
        #expect(stops.values.sorted() == [origin.url("/404"), origin.url("/ok"), origin.url("/stalled")])
    }

    @Test("A wrong length is an error, and too large a length is rejected before the content arrives")
    func lengths() async throws {
        let origin = try ImageOrigin([
            .image("/short", TestImages.png()) { $0.faults = [Fault(.contentLength(change: 10), at: .head)] },
            .image("/huge", TestImages.png()) { $0.body = .generated(size: 2 << 20) },
        ])
        var codecs = ImageCodecs()
        codecs.limits.encodedSize = .mebibytes(1)
        let downloader = origin.downloader(codecs: codecs)
        await #expect(throws: ImageError(domain: .url, code: -1005, detail: "")) {
            _ = try await downloader.download(ImageRequest(url: origin.url("/short")))
        }
        await #expect(throws: ImageError.tooLarge("")) {
            _ = try await downloader.download(ImageRequest(url: origin.url("/huge")))
        }
    }

    @Test("Content that gzip inflates to a multiple of the limit is rejected during inflation")
    func inflatedBomb() async throws {
        let origin = try ImageOrigin([
            .image("/a", [UInt8](repeating: 0, count: 4 << 20)) { $0.gzip = .always }
        ])
        var codecs = ImageCodecs()
        codecs.limits.encodedSize = .mebibytes(1)
        await #expect(throws: ImageError(domain: .url, code: -1103, detail: "")) {
            _ = try await origin.downloader(codecs: codecs).download(ImageRequest(url: origin.url("/a")))
        }
    }
}

/// Counts the calls of a JPEG codec.
private final class DecodingSpy: ImageCodec {
    private let seen = Lock((partial: [Int](), headers: 0))
    var format: ImageFormat { .jpeg }
    var partialCounts: [Int] { seen.withLock { $0.partial } }
    /// The number of headers parsed.
    var headers: Int { seen.withLock { $0.headers } }

    func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        let header = try JPEGCodec().header(of: bytes)
        if header != nil { seen.withLock { $0.headers += 1 } }
        return header
    }

    func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        if allowsTruncation { seen.withLock { $0.partial.append(bytes.count) } }
        return try JPEGCodec().decode(bytes, allowsTruncation: allowsTruncation)
    }
}

/// A GIF codec that reports two frames of 4 × 4 for every GIF.
struct TwoFrameCodec: ImageCodec {
    var format: ImageFormat { .gif }

    func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        ImageHeader(format: .gif, size: PixelSize(width: 4, height: 4), frameCount: 2)
    }

    func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        let size = PixelSize(width: 4, height: 4)
        guard let pixels = PixelBuffer(size: size, red: 1, green: 2, blue: 3) else { throw .zeroPixels }
        return pixels
    }
}
