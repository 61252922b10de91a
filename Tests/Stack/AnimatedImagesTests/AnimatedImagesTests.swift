import AnimatedImages
import ImageLoading
import Testing

@Suite("GIF and WebP")
struct AnimatedImagesTests {
    private let codecs = ImageCodecs([GIFCodec(), WebPCodec()])
    private typealias Frame = TestAnimations.GIFFrame

    /// Returns the pixels of a frame, in reading order.
    private func colors(_ frame: ImageFrame) -> [[UInt8]] {
        let size = frame.pixels.size
        return (0..<size.count).compactMap { frame.pixels[$0 % size.width, $0 / size.width] }
    }

    private typealias T = TestAnimations

    @Test("A GIF of one frame is decoded at once, with the colours of its table")
    func still() throws {
        let image = try codecs.image(from: T.gif([Frame(pixels: [1, 2, 3, 1])]))
        #expect(image.header.format == .gif && !image.header.isAnimated && image.isDecoded)
        #expect(colors(try image.frames()[0]) == [T.red, T.green, T.blue, T.red])
    }

    @Test(
        "Each frame of a GIF is drawn over the one before it, which is disposed of first",
        arguments: [
            (1, [T.red, T.green, T.red, T.red]), (2, [T.clear, T.green, T.clear, T.clear]),
            (3, [T.clear, T.green, T.clear, T.clear]),
        ] as [(UInt8, [[UInt8]])]
    )
    func disposal(method: UInt8, second: [[UInt8]]) throws {
        let bytes = T.gif([
            Frame(pixels: [1, 1, 1, 1], hundredths: 7, disposal: method),
            Frame(left: 1, width: 1, height: 1, pixels: [2], hundredths: 1),
        ])
        let image = try codecs.image(from: bytes)
        #expect(image.header.frameCount == 2 && !image.isDecoded)
        let frames = try image.frames()
        #expect(frames.map(colors) == [[T.red, T.red, T.red, T.red], second])
        #expect(frames.map(\.duration) == [.milliseconds(70), .milliseconds(100)])
        #expect(try image.pixels() == frames[0].pixels)
    }

    @Test("The transparent colour of a frame leaves what is below")
    func transparent() throws {
        let frames = try codecs.image(
            from: T.gif([Frame(pixels: [1, 1, 1, 1]), Frame(pixels: [0, 2, 0, 3], transparent: 0)])
        ).frames()
        #expect(colors(frames[1]) == [T.red, T.green, T.red, T.blue])
    }

    @Test("The rows of an interlaced GIF are stored in four passes")
    func interlaced() throws {
        // GIF89a, appendix E: rows 0, 2, 1, 3 of four.
        let bytes = T.gif(
            [Frame(width: 1, height: 4, pixels: [1, 2, 3, 1], isInterlaced: true)],
            width: 1,
            height: 4
        )
        #expect(colors(try codecs.image(from: bytes).frames()[0]) == [T.red, T.blue, T.green, T.red])
    }

    @Test("A frame that reaches beyond the screen is cut")
    func beyond() throws {
        let frame = Frame(left: 1, top: 1, pixels: [2, 3, 3, 3])
        #expect(
            colors(try codecs.image(from: T.gif([frame])).frames()[0]) == [
                T.clear, T.clear, T.clear, T.green,
            ]
        )
    }

    @Test("A truncated GIF is damaged, whatever byte it ends at")
    func truncatedGIF() throws {
        let bytes = T.gif([Frame(pixels: [1, 2, 3, 1]), Frame(pixels: [3, 3, 3, 3])])
        for count in 13..<bytes.count - 1 {
            #expect(throws: ImageError.self) {
                try GIFCodec().frames(of: Array(bytes.prefix(count)), limit: .mebibytes(1))
            }
        }
    }

    @Test("An animation whose frames exceed the limit is too large")
    func limits() throws {
        let gif = T.gif([Frame](repeating: Frame(pixels: [1, 1, 1, 1]), count: 3))
        let webP = try T.webP([(try pixels(255), 10), (try pixels(0), 10), (try pixels(9), 10)])
        for bytes in [gif, webP] {
            let image = try codecs.image(from: bytes)
            #expect(throws: ImageError.tooLarge("")) { try image.frames(limit: .bytes(47)) }
            #expect(try image.frames(limit: .bytes(48)).count == 3)
        }
    }

    @Test(
        "A small file that would decode to much more than the limit is refused before it is decoded",
        arguments: [
            ("a screen of 65,535 x 65,535", T.gif([Frame(pixels: [1])], width: 65_535, height: 65_535)),
            ("a frame of that size", T.gif([Frame(width: 65_535, height: 65_535, pixels: [1])])),
            (
                "frames that together have too many pixels",
                T.gif([Frame](repeating: Frame(width: 300, height: 300, pixels: [1]), count: 3))
            ),
        ]
    )
    func bombs(what: String, bytes: [UInt8]) {
        #expect(throws: ImageError.tooLarge("")) { try GIFCodec().frames(of: bytes, limit: .kibibytes(256)) }
    }

    @Test("An image with more frames than the limit is too large, and one with as many is not")
    func frameCount() throws {
        var codecs = codecs
        codecs.limits.frames = 3
        let frame = Frame(pixels: [1, 1, 1, 1])
        #expect(try codecs.image(from: T.gif([frame, frame, frame])).header.frameCount == 3)
        #expect(throws: ImageError.tooLarge("")) {
            try codecs.image(from: T.gif([frame, frame, frame, frame]))
        }
        #expect(DecodingLimits().frames == 10_000)
    }

    private func pixels(_ red: UInt8) throws -> PixelBuffer {
        try #require(PixelBuffer(size: PixelSize(width: 2, height: 2), red: red, green: 1, blue: 2))
    }

    @Test("WebP preserves every pixel with the quality 1")
    func webP() throws {
        let pixels = try pixels(77)
        let image = try codecs.image(from: WebPCodec().encode(pixels, quality: 1))
        #expect(image.header == ImageHeader(format: .webP, size: PixelSize(width: 2, height: 2)))
        #expect(try image.pixels() == pixels)
    }

    @Test("An animated WebP has its frames and their durations")
    func animatedWebP() throws {
        let (first, second) = (try pixels(255), try pixels(0))
        let image = try codecs.image(from: T.webP([(first, 40), (second, 60)]))
        #expect(image.header.frameCount == 2 && !image.isDecoded)
        let frames = [
            ImageFrame(first, duration: .milliseconds(40)), ImageFrame(second, duration: .milliseconds(60)),
        ]
        #expect(try image.frames() == frames)
        #expect(try image.pixels() == first)
    }

    @Test("A truncated WebP is damaged or not yet known")
    func truncatedWebP() throws {
        let bytes = try WebPCodec().encode(try pixels(77), quality: 1)
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            #expect(throws: ImageError.self) { try WebPCodec().decode(part, allowsTruncation: false) }
        }
    }

    @Test("The codecs say which media types they decode")
    func mediaTypes() {
        #expect(codecs.mediaTypes == ["image/jpeg", "image/png", "image/gif", "image/webp"])
        #expect(ImageCodecs().mediaTypes == ["image/jpeg", "image/png"])
    }
}
