public import CacheSemantics
public import ImageLoading

/// The GIF codec, based on giflib; it decodes, frame by frame, and does not encode.
public struct GIFCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    /// GIF.
    public var format: ImageFormat { .gif }

    /// Parses size and number of frames without giflib; returns `nil` while the size is incomplete.
    public func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        guard bytes.prefix(4).elementsEqual("GIF8".utf8.prefix(bytes.count)) else {
            throw .damaged("it does not start with the GIF signature")
        }
        guard bytes.count >= 13 else { return nil }
        let size = PixelSize(
            width: Int(bytes[6]) | Int(bytes[7]) << 8,
            height: Int(bytes[8]) | Int(bytes[9]) << 8
        )
        return ImageHeader(format: .gif, size: size, frameCount: max(1, GIFBlocks(bytes).frameCount))
    }

    /// Decodes the first frame.
    public func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        guard let header = try header(of: bytes) else { throw .damaged("its header is incomplete") }
        var reader = try GIFReader(bytes, header.size, limit: DecodingLimits().decodedSize)
        defer { reader.close() }
        guard let frame = try reader.next(allowsTruncation: allowsTruncation) else {
            throw .damaged("it has no frame")
        }
        return frame.pixels
    }

    /// Decodes every frame onto the frames before it, as the disposal methods require.
    public func frames(of bytes: [UInt8], limit: ByteCount) throws(ImageError) -> [ImageFrame] {
        guard let header = try header(of: bytes) else { throw .damaged("its header is incomplete") }
        var reader = try GIFReader(bytes, header.size, limit: limit)
        defer { reader.close() }
        let most = limit.bytes / (4 * header.size.count)
        guard header.frameCount <= most else {
            throw .tooLarge("its \(header.frameCount) frames take more than \(limit)")
        }
        var frames: [ImageFrame] = []
        while let frame = try reader.next(allowsTruncation: false) {
            guard frames.count < most else { throw .tooLarge("its frames take more than \(limit)") }
            frames.append(frame)
        }
        guard !frames.isEmpty else { throw .damaged("it has no frame") }
        return frames
    }
}

/// Walks the blocks of a GIF without decoding them.
struct GIFBlocks {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of image descriptors, as far as the bytes go.
    var frameCount: Int {
        var position = 13 + colorTableSize(flags: bytes[10])
        var count = 0
        while position < bytes.count {
            switch bytes[position] {
            case 0x2C:
                guard position + 10 < bytes.count else { return count + 1 }
                count += 1
                // The descriptor, its colour table and the minimum code size.
                position = afterSubBlocks(position + 11 + colorTableSize(flags: bytes[position + 9]))
            case 0x21: position = afterSubBlocks(position + 2)
            default: return count
            }
        }
        return count
    }

    private func colorTableSize(flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private func afterSubBlocks(_ start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position] != 0 { position += 1 + Int(bytes[position]) }
        return position + 1
    }
}
