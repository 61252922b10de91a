import Cpng

/// The PNG codec, based on libpng's simplified interface, which needs no `longjmp`.
public struct PNGCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    /// PNG.
    public var format: ImageFormat { .png }

    /// Parses size and number of frames without libpng; returns `nil` while they are incomplete.
    public func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        try PNGChunks(bytes).header()
    }

    /// Decodes every colour type and depth to eight bits per channel.
    public func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        guard let header = try header(of: bytes) else { throw .damaged("its header is incomplete") }
        guard header.size.count <= 1 << 30 else { throw .tooLarge("\(header.size) pixels") }
        let buffer = try PixelBuffer(size: header.size) { pixels throws(ImageError) in
            try Self.read(bytes, header.size, into: pixels, allowsTruncation)
        }
        guard allowsTruncation || PNGChunks(bytes).isComplete else { throw .damaged("its end is missing") }
        guard let buffer else { throw .zeroPixels }
        return buffer
    }

    private static func read(
        _ bytes: [UInt8],
        _ size: PixelSize,
        into pixels: UnsafeMutableRawBufferPointer,
        _ allowsTruncation: Bool
    ) throws(ImageError) {
        var image = Self.newImage
        defer { png_image_free(&image) }
        let isRead = bytes.withUnsafeBytes { raw in
            guard png_image_begin_read_from_memory(&image, raw.baseAddress, raw.count) != 0,
                Int(image.width) == size.width, Int(image.height) == size.height
            else { return false }
            image.format = cachecheck_png_rgba()
            return png_image_finish_read(&image, nil, pixels.baseAddress, 0, nil) != 0
        }
        // The rows that were read before the content ended are valid.
        guard isRead || allowsTruncation else { throw .damaged(message(of: &image)) }
    }

    /// Encodes losslessly, including transparency; ignores the quality.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        var image = Self.newImage
        image.width = UInt32(clamping: pixels.size.width)
        image.height = UInt32(clamping: pixels.size.height)
        image.format = cachecheck_png_rgba()
        defer { png_image_free(&image) }
        var count = cachecheck_png_largest_size(&image)
        var output = [UInt8](repeating: 0, count: Int(count))
        let isWritten = pixels.withBytes { raw in
            png_image_write_to_memory(&image, &output, &count, 0, raw.baseAddress, 0, nil) != 0
        }
        guard isWritten else { throw .unsupported("PNG could not be written: \(Self.message(of: &image))") }
        output.removeLast(output.count - Int(count))
        return output
    }

    private static var newImage: png_image {
        var image = png_image()
        image.version = cachecheck_png_version()
        return image
    }

    private static func message(of image: inout png_image) -> String {
        withUnsafeBytes(of: &image.message) { raw in
            let text = String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? "it is truncated" : text
        }
    }
}

/// Reads the chunks before the pixels; tolerates malformed chunks.
private struct PNGChunks {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func header() throws(ImageError) -> ImageHeader? {
        let signature = ImageFormat.pngSignature
        guard bytes.prefix(8).elementsEqual(signature.prefix(bytes.count)) else {
            throw .damaged("it does not start with the PNG signature")
        }
        guard bytes.count >= 33 else { return nil }
        guard bytes[12..<16].elementsEqual("IHDR".utf8) else {
            throw .damaged("it does not start with a header chunk")
        }
        let (width, height) = (number(at: 16), number(at: 20))
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { throw .damaged("its size is invalid") }
        let size = PixelSize(width: width, height: height)
        return ImageHeader(format: .png, size: size, frameCount: frameCount)
    }

    /// Whether the chunks are complete up to the end chunk.
    var isComplete: Bool {
        var position = 8
        while position + 12 <= bytes.count {
            if bytes[position + 4..<position + 8].elementsEqual("IEND".utf8) { return true }
            position += 12 + number(at: position)
        }
        return false
    }

    /// The number of frames, which an animation declares before its pixels; otherwise 1.
    private var frameCount: Int {
        var position = 8
        while position + 12 <= bytes.count {
            let type = bytes[position + 4..<position + 8]
            if type.elementsEqual("acTL".utf8) { return max(1, number(at: position + 8)) }
            if type.elementsEqual("IDAT".utf8) { break }
            position += 12 + number(at: position)
        }
        return 1
    }

    private func number(at place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
