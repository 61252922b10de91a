import ImageLoading
import Testing
import TestSupport

/// First bytes and the format they identify.
struct SniffRow: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var format: ImageFormat?
    var testDescription: String { "\(bytes) is \(format?.rawValue ?? "nothing")" }

    static let all = [
        SniffRow(bytes: [0xFF, 0xD8, 0xFF, 0xE0], format: .jpeg),
        SniffRow(bytes: [0xFF, 0xD8], format: nil),
        SniffRow(bytes: [137, 80, 78, 71, 13, 10, 26, 10], format: .png),
        SniffRow(bytes: [137, 80, 78, 71, 13, 10, 26, 11], format: nil),
        SniffRow(bytes: [137, 80, 78, 71, 13, 10, 26], format: nil),
        SniffRow(bytes: Array("GIF89a".utf8), format: .gif),
        SniffRow(bytes: Array("RIFF0000WEBPVP8 ".utf8), format: .webP),
        SniffRow(bytes: Array("RIFF0000WAVEfmt ".utf8), format: nil),
        SniffRow(bytes: Array("<html>".utf8), format: nil),
        SniffRow(bytes: [], format: nil),
    ]
}

@Suite("Decoding and encoding images")
struct CodecTests {
    private let codecs = ImageCodecs()

    @Test(
        "Formats are distinguished by their first bytes",
        .checks("sdwebimage.helpers"),
        arguments: SniffRow.all
    )
    func sniffing(row: SniffRow) {
        #expect(ImageFormat(sniffing: row.bytes) == row.format)
    }

    @Test("PNG preserves every pixel, including transparency")
    func png() throws {
        let pixels = try TestImages.pixels(5, 3, alpha: 77)
        let image = try codecs.image(from: try PNGCodec().encode(pixels, quality: 0))
        #expect(try image.pixels() == pixels)
        #expect(image.size == PixelSize(width: 5, height: 3))
    }

    @Test("A JPEG of one colour is decoded to within two steps per channel")
    func jpeg() throws {
        let image = try codecs.image(from: try TestImages.jpeg(16, 16))
        let pixel = try #require(try image.pixels()[8, 8])
        for (channel, expected) in zip(pixel, [200, 100, 50, 255]) {
            #expect(abs(Int(channel) - expected) <= 2)
        }
    }

    @Test("A lower quality is a smaller JPEG, and a quality out of range counts as 1")
    func quality() throws {
        let noise = try TestImages.noise(64, 64)
        let sizes = try [1, 0.5, 0.1, 7, -1, .nan].map { try JPEGCodec().encode(noise, quality: $0).count }
        #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
        #expect(sizes[3...].allSatisfy { $0 == sizes[0] })
    }

    @Test(
        "Exif values 1 to 8 are the eight orientations, and any other is up",
        .checks("sdwebimage.operation.orientation-map"),
        arguments: [
            (0, .up), (1, .up), (2, .upMirrored), (3, .down), (4, .downMirrored), (5, .leftMirrored),
            (6, .right), (7, .rightMirrored), (8, .left), (9, .up),
        ] as [(UInt8, ImageOrientation)]
    )
    func orientation(value: UInt8, expected: ImageOrientation) throws {
        #expect(ImageOrientation(exif: Int(value)) == expected)
        for isLittle in [false, true] {
            let image = try codecs.image(from: try TestImages.jpeg(exif: value, isLittle: isLittle))
            #expect(image.header.orientation == expected)
            #expect(image.pointWidth == (expected.isTurned ? 6 : 8))
        }
        #expect(ImageOrientation(exif: nil) == .up)
    }

    @Test(
        "A key that ends in @2x or @3x before its extension gives that scale",
        .checks("sdwebimage.operation.scale-from-key"),
        arguments: [
            ("http://h/a@2x.png", 2), ("http://h/a@3x.jpg?x=1", 3), ("http://h/a.png", 1),
            ("http://h/a@2x", 2), ("http://h/a.png?b=c@2x.png", 1), ("http://h/@2x.d/a.png", 1), ("", 1),
        ] as [(String, Double)]
    )
    func scale(key: String, expected: Double) throws {
        #expect(ImageScale.named(by: key) == expected)
        let image = try codecs.image(from: try TestImages.png(8, 6), scale: ImageScale.named(by: key))
        #expect(image.pointWidth == 8 / expected)
    }

    @Test("An image that is not decoded immediately has its header, and its pixels on demand")
    func lazily() throws {
        let image = try codecs.image(from: try TestImages.png(8, 6), decompresses: false)
        #expect(!image.isDecoded)
        #expect(image.size == PixelSize(width: 8, height: 6))
        #expect(try image.pixels() == TestImages.pixels(8, 6))
    }
}

/// Hostile content, and the code of the resulting error.
struct HostileRow: Sendable, CustomTestStringConvertible {
    var name: String
    var code: Int
    var bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }

    static let all = [
        HostileRow(name: "nothing", code: 0) { [] },
        HostileRow(name: "a page in HTML", code: 0) { Array("<html><body>404</body></html>".utf8) },
        HostileRow(name: "a PNG of 2,000,000,000 rows", code: 1004) {
            TestImages.pngHead(width: 2_000_000_000, height: 2_000_000_000)
        },
        HostileRow(name: "a PNG of 30,000 × 30,000 in 100 bytes", code: 1004) {
            TestImages.pngHead(width: 30_000, height: 30_000) + [UInt8](repeating: 0, count: 60)
        },
        HostileRow(name: "a PNG without width", code: 0) { TestImages.pngHead(width: 0, height: 5) },
        HostileRow(name: "a PNG of negative width", code: 1001) {
            TestImages.pngHead(width: 0xFFFF_FFFF, height: 1)
        },
        HostileRow(name: "a PNG without header", code: 1001) {
            [137, 80, 78, 71, 13, 10, 26, 10] + [UInt8](repeating: 7, count: 40)
        },
        HostileRow(name: "a PNG cut off in its pixels", code: 1001) {
            let png = try PNGCodec().encode(TestImages.noise(64, 64), quality: 1)
            return Array(png.prefix(png.count / 2))
        },
        HostileRow(name: "a PNG with a wrong checksum", code: 1001) {
            var png = try TestImages.png()
            png[29] ^= 1
            return png
        },
        HostileRow(name: "a JPEG of 65,500 × 65,500", code: 1004) {
            var jpeg = try TestImages.jpeg(8, 6)
            let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
            jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
            return jpeg
        },
        HostileRow(name: "a JPEG cut off in its scan", code: 1001) {
            let jpeg = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
            return Array(jpeg.prefix(jpeg.count / 2))
        },
        HostileRow(name: "a JPEG that ends after its first bytes", code: 0) { [0xFF, 0xD8, 0xFF, 0xE0] },
        HostileRow(name: "a JPEG of noise", code: 1001) {
            [0xFF, 0xD8, 0xFF, 0xDB] + (0..<500).map { UInt8(truncatingIfNeeded: $0 * 37) }
        },
        HostileRow(name: "a GIF, for which there is no codec", code: 1005) {
            Array("GIF89a".utf8) + [UInt8](repeating: 1, count: 20)
        },
        HostileRow(name: "more encoded bytes than allowed", code: 1004) {
            try TestImages.png() + [UInt8](repeating: 0, count: 1 << 20)
        },
    ]
}

@Suite("Hostile images")
struct HostileImageTests {
    private var codecs: ImageCodecs {
        var codecs = ImageCodecs()
        codecs.limits.encodedSize = .mebibytes(1)
        return codecs
    }

    @Test(
        "Content that is not an image, or is too large, is rejected with a specific error",
        arguments: HostileRow.all
    )
    func refused(row: HostileRow) throws {
        let bytes = try row.bytes()
        let error = try #require(failure { () throws(ImageError) in try codecs.image(from: bytes) })
        #expect(error.code.rawValue == row.code, "\(error)")
        #expect(error.domain == .image)
    }

    @Test(
        "Every prefix of a JPEG and of a PNG is an image or an error, never a trap",
        arguments: [true, false]
    )
    func everyPrefix(isPNG: Bool) throws {
        let pixels = try TestImages.noise(24, 20)
        let bytes = try isPNG ? PNGCodec().encode(pixels, quality: 1) : JPEGCodec().encode(pixels, quality: 1)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            let part = Array(bytes.prefix(count))
            #expect(failure { () throws(ImageError) in try codecs.image(from: part) } != nil)
            let header = try? codecs.header(of: part)
            if let header { #expect(codecs.partialImage(from: part, header: header)?.size == header.size) }
        }
    }

    @Test("Every damaged byte of a small PNG and JPEG is an image or an error", arguments: [true, false])
    func everyByte(isPNG: Bool) throws {
        let bytes = try isPNG ? TestImages.png() : TestImages.jpeg()
        var errors = 0
        for index in bytes.indices {
            for mask in [0xFF, 0x01, 0x80] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= mask
                guard let error = failure({ () throws(ImageError) in try codecs.image(from: damaged) }) else {
                    continue
                }
                errors += 1
                #expect(error.domain == .image, "byte \(index) ^ \(mask)")
            }
        }
        #expect(errors > 0)
    }

    @Test("A PNG whose file name says JPEG is decoded as a PNG")
    func wrongName() throws {
        #expect(try codecs.image(from: try TestImages.png()).header.format == .png)
    }
}
