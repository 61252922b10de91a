public import CacheSemantics
import Cwebp
public import ImageLoading

/// The WebP codec, based on libwebp: still images and animations; it encodes still images.
public struct WebPCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    /// WebP.
    public var format: ImageFormat { .webP }

    /// Parses size and number of frames; returns `nil` while the size is incomplete.
    public func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        var features = WebPBitstreamFeatures()
        let status = bytes.withUnsafeBufferPointer { WebPGetFeatures($0.baseAddress, $0.count, &features) }
        if status == VP8_STATUS_NOT_ENOUGH_DATA { return nil }
        guard status == VP8_STATUS_OK else { throw .damaged("its header is malformed") }
        let size = PixelSize(width: Int(features.width), height: Int(features.height))
        let count = features.has_animation != 0 ? Self.frameCount(in: bytes) : 1
        return ImageHeader(format: .webP, size: size, frameCount: max(1, count))
    }

    /// Decodes a still image, or the first frame of an animation.
    public func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        guard let header = try header(of: bytes) else { throw .damaged("its header is incomplete") }
        if header.isAnimated || Self.frameCount(in: bytes) > 0 {
            return try WebPAnimation.frames(of: bytes, header.size, most: 1)[0].pixels
        }
        let buffer = try PixelBuffer(size: header.size) { pixels throws(ImageError) in
            guard Self.read(bytes, header.size, into: pixels) || allowsTruncation else {
                throw .damaged("its content is truncated or malformed")
            }
        }
        guard let buffer else { throw .zeroPixels }
        return buffer
    }

    /// Decodes every frame onto the frames before it.
    public func frames(of bytes: [UInt8], limit: ByteCount) throws(ImageError) -> [ImageFrame] {
        guard let header = try header(of: bytes) else { throw .damaged("its header is incomplete") }
        let most = limit.bytes / (4 * header.size.count)
        guard header.frameCount <= most else {
            throw .tooLarge("its \(header.frameCount) frames take more than \(limit)")
        }
        guard Self.frameCount(in: bytes) > 0 else {
            return [ImageFrame(try decode(bytes, allowsTruncation: false), duration: .zero)]
        }
        return try WebPAnimation.frames(of: bytes, header.size, most: most)
    }

    /// Encodes losslessly with the quality 1, and otherwise with loss.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        let size = pixels.size
        guard max(size.width, size.height) <= 16_383 else {
            throw .unsupported("a WebP has at most 16383 pixels a side, and this image has \(size)")
        }
        let (width, height) = (Int32(size.width), Int32(size.height))
        let isLossless = !(quality >= 0 && quality < 1)
        var output: UnsafeMutablePointer<UInt8>?
        let count = pixels.withBytes { raw in
            let start = raw.bindMemory(to: UInt8.self).baseAddress
            return isLossless
                ? WebPEncodeLosslessRGBA(start, width, height, 4 * width, &output)
                : WebPEncodeRGBA(start, width, height, 4 * width, Float(100 * quality), &output)
        }
        defer { WebPFree(output) }
        guard count > 0, let output else { throw .unsupported("WebP could not be written") }
        return Array(UnsafeBufferPointer(start: output, count: count))
    }

    /// Decodes as far as the bytes go; true if they were complete.
    private static func read(
        _ bytes: [UInt8],
        _ size: PixelSize,
        into pixels: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let target = pixels.bindMemory(to: UInt8.self).baseAddress
        let decoder = WebPINewRGB(MODE_RGBA, target, pixels.count, Int32(4 * size.width))
        guard let decoder else { return false }
        defer { WebPIDelete(decoder) }
        return bytes.withUnsafeBufferPointer { WebPIUpdate(decoder, $0.baseAddress, $0.count) }
            == VP8_STATUS_OK
    }

    /// Returns the number of frames of an animation, as far as the bytes go; 0 for a still image.
    static func frameCount(in bytes: [UInt8]) -> Int {
        var position = 12
        var count = 0
        while position + 8 <= bytes.count {
            if bytes[position..<position + 4].elementsEqual("ANMF".utf8) { count += 1 }
            let length = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << (8 * $1) }
            position += 8 + length + length % 2
        }
        return count
    }
}
