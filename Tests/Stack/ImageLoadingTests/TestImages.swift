import ImageLoading
import Testing

/// Creates images for tests.
enum TestImages {
    /// Returns pixels of one colour.
    static func pixels(
        _ width: Int,
        _ height: Int,
        red: UInt8 = 200,
        green: UInt8 = 100,
        blue: UInt8 = 50,
        alpha: UInt8 = 255
    ) throws -> PixelBuffer {
        try #require(
            PixelBuffer(
                size: PixelSize(width: width, height: height),
                red: red,
                green: green,
                blue: blue,
                alpha: alpha
            )
        )
    }

    static func image(_ width: Int, _ height: Int, red: UInt8 = 200, scale: Double = 1) throws -> RasterImage
    {
        RasterImage(try pixels(width, height, red: red), scale: scale)
    }

    static func png(_ width: Int = 8, _ height: Int = 6, red: UInt8 = 200, alpha: UInt8 = 255) throws
        -> [UInt8]
    {
        try PNGCodec().encode(pixels(width, height, red: red, alpha: alpha), quality: 1)
    }

    static func jpeg(_ width: Int = 8, _ height: Int = 6, red: UInt8 = 200) throws -> [UInt8] {
        try JPEGCodec().encode(pixels(width, height, red: red), quality: 1)
    }

    /// Returns an image that compresses badly, so that its bytes are sent in several pieces.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> PixelBuffer {
        var state = seed &* 2_654_435_761 &+ 12_345
        return try pixels(width, height).mapPixels { pixel in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            pixel[pixel.startIndex] = UInt8(truncatingIfNeeded: state >> 33)
            pixel[pixel.startIndex + 1] = UInt8(truncatingIfNeeded: state >> 41)
            pixel[pixel.startIndex + 2] = UInt8(truncatingIfNeeded: state >> 49)
        }
    }

    /// Returns the start of a PNG that declares this size, without image data.
    static func pngHead(width: UInt32, height: UInt32) -> [UInt8] {
        let body = Array("IHDR".utf8) + big(width) + big(height) + [8, 2, 0, 0, 0]
        return [137, 80, 78, 71, 13, 10, 26, 10] + big(13) + body + big(crc(body))
    }

    static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// Returns the CRC-32 of a PNG chunk.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
    }

    /// Returns a JPEG with an Exif orientation before its other segments.
    static func jpeg(exif orientation: UInt8, isLittle: Bool = false) throws -> [UInt8] {
        let bytes = try jpeg(8, 6)
        let entry: [UInt8] =
            isLittle
            ? [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            : [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let head: [UInt8] =
            isLittle ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        let exif = Array("Exif\0\0".utf8) + head + entry + [0, 0, 0, 0]
        let length = UInt16(exif.count + 2)
        return bytes.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
            + bytes.dropFirst(2)
    }
}

/// Returns the error of a call that must fail.
func failure<Value>(_ work: () throws(ImageError) -> Value) -> ImageError? {
    do throws(ImageError) {
        _ = try work()
        return nil
    } catch {
        return error
    }
}
