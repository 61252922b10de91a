/// An image: what its header says, and its pixels, now or when they are asked for.
public struct RasterImage: Sendable {
    struct Encoded: Sendable {
        let bytes: [UInt8]
        let codec: any ImageCodec
    }
    enum Content: Sendable {
        case pixels(PixelBuffer)
        case encoded(Encoded)
    }
    /// Format, stored size, orientation and number of pictures.
    public let header: ImageHeader
    /// Pixels a point: 2 for a name that ends in `@2x`.
    public let scale: Double
    private let content: Content

    init(header: ImageHeader, scale: Double, content: Content) {
        self.header = header
        self.scale = scale > 0 ? scale : 1
        self.content = content
    }

    /// Creates an image of pixels.
    public init(_ pixels: PixelBuffer, scale: Double = 1, format: ImageFormat = .png) {
        let header = ImageHeader(format: format, size: pixels.size)
        self.init(header: header, scale: scale, content: .pixels(pixels))
    }

    /// Width and height as stored.
    public var size: PixelSize { header.size }

    /// Width in points, as it is to be shown.
    public var pointWidth: Double {
        Double(header.orientation.isTurned ? size.height : size.width) / scale
    }

    /// Height in points, as it is to be shown.
    public var pointHeight: Double {
        Double(header.orientation.isTurned ? size.width : size.height) / scale
    }

    /// Whether the pixels are there already.
    public var isDecoded: Bool {
        if case .pixels = content { true } else { false }
    }

    /// The pixels, decoded now where they were not.
    public func pixels() throws(ImageError) -> PixelBuffer {
        switch content {
        case .pixels(let pixels): pixels
        case .encoded(let encoded): try encoded.codec.decode(encoded.bytes, allowsTruncation: false)
        }
    }

    /// Width × height in points × scale², which is the number of its pixels: the cost of the memory cache that counts
    /// pixels.
    public var pixelCost: Int { size.count }

    /// Bytes of the decoded pixels, four each: the cost of the memory cache that counts bytes.
    public var byteCost: Int { size.count > Int.max / 4 ? .max : 4 * size.count }

    /// What identifies the picture for those who compare images: equal pixels, or equal encoded bytes.
    public func isIdentical(to other: RasterImage) -> Bool {
        switch (content, other.content) {
        case (.pixels(let own), .pixels(let others)): own == others
        case (.encoded(let own), .encoded(let others)): own.bytes == others.bytes
        default: (try? pixels()) == (try? other.pixels())
        }
    }

    /// The same with other pixels.
    public func replacing(_ pixels: PixelBuffer) -> RasterImage {
        var changed = header
        changed.size = pixels.size
        changed.frameCount = 1
        return RasterImage(header: changed, scale: scale, content: .pixels(pixels))
    }
}

/// The scale that a key names.
public enum ImageScale {
    /// 2 where the name before the extension ends in `@2x`, 3 for `@3x`, else 1.
    public static func named(by key: String) -> Double {
        let path = key.prefix { $0 != "?" && $0 != "#" }
        let file = path.split(separator: "/").last ?? path[...]
        let name = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        if name.hasSuffix("@2x") { return 2 }
        return name.hasSuffix("@3x") ? 3 : 1
    }
}
