public import CacheSemantics

/// An image: its header, and its pixels, which may be decoded on access.
public struct RasterImage: Sendable {
    struct Encoded: Sendable {
        let bytes: [UInt8]
        let codec: any ImageCodec
    }
    enum Content: Sendable {
        case pixels(PixelBuffer)
        case encoded(Encoded)
    }
    /// The format, stored size, orientation and number of frames.
    public let header: ImageHeader
    /// The number of pixels per point: 2 for a name that ends in `@2x`.
    public let scale: Double
    private let content: Content

    init(header: ImageHeader, scale: Double, content: Content) {
        self.header = header
        self.scale = scale > 0 ? scale : 1
        self.content = content
    }

    /// Creates an image from pixels.
    public init(_ pixels: PixelBuffer, scale: Double = 1, format: ImageFormat = .png) {
        let header = ImageHeader(format: format, size: pixels.size)
        self.init(header: header, scale: scale, content: .pixels(pixels))
    }

    /// The stored width and height.
    public var size: PixelSize { header.size }

    /// The displayed width in points.
    public var pointWidth: Double {
        Double(header.orientation.isTurned ? size.height : size.width) / scale
    }

    /// The displayed height in points.
    public var pointHeight: Double {
        Double(header.orientation.isTurned ? size.width : size.height) / scale
    }

    /// Whether the pixels have been decoded.
    public var isDecoded: Bool {
        if case .pixels = content { true } else { false }
    }

    /// Returns the pixels; decodes them if necessary.
    public func pixels() throws(ImageError) -> PixelBuffer {
        switch content {
        case .pixels(let pixels): pixels
        case .encoded(let encoded): try encoded.codec.decode(encoded.bytes, allowsTruncation: false)
        }
    }

    /// Returns the frames of an animation, or the image as a single frame.
    ///
    /// Throws `tooLarge` if they take more than `limit`, by default 256 MiB.
    public func frames(limit: ByteCount = DecodingLimits().decodedSize) throws(ImageError) -> [ImageFrame] {
        switch content {
        case .pixels(let pixels): [ImageFrame(pixels, duration: .zero)]
        case .encoded(let encoded): try encoded.codec.frames(of: encoded.bytes, limit: limit)
        }
    }

    /// The cost for a memory cache that counts pixels: width × height in points × scale².
    public var pixelCost: Int { size.count }

    /// The cost for a memory cache that counts bytes: four per pixel.
    public var byteCost: Int { size.count > Int.max / 4 ? .max : 4 * size.count }

    /// Whether both images have equal pixels, or equal encoded bytes.
    public func isIdentical(to other: RasterImage) -> Bool {
        switch (content, other.content) {
        case (.pixels(let own), .pixels(let others)): own == others
        case (.encoded(let own), .encoded(let others)): own.bytes == others.bytes
        default: (try? pixels()) == (try? other.pixels())
        }
    }

    /// Returns an image with the same header and other pixels.
    public func replacing(_ pixels: PixelBuffer) -> RasterImage {
        var changed = header
        changed.size = pixels.size
        changed.frameCount = 1
        return RasterImage(header: changed, scale: scale, content: .pixels(pixels))
    }
}

/// The scale that a key implies.
public enum ImageScale {
    /// Returns 2 if the file name without its extension ends in `@2x`, 3 for `@3x`, otherwise 1.
    public static func named(by key: String) -> Double {
        let path = key.prefix { $0 != "?" && $0 != "#" }
        let file = path.split(separator: "/").last ?? path[...]
        let name = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        if name.hasSuffix("@2x") { return 2 }
        return name.hasSuffix("@3x") ? 3 : 1
    }
}
