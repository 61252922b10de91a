/// The codecs of a cache or loader, and the limits for all of them.
public struct ImageCodecs: Sendable {
    /// The limits of an image's size.
    public var limits = DecodingLimits()
    private var codecs: [ImageFormat: any ImageCodec] = [:]

    /// Creates the codecs for JPEG and PNG, and further ones; the last of several for one format is used.
    public init(_ others: [any ImageCodec] = []) {
        for codec in [JPEGCodec(), PNGCodec()] as [any ImageCodec] + others { codecs[codec.format] = codec }
    }

    /// The media types of the formats that can be decoded.
    public var mediaTypes: Set<String> { Set(codecs.keys.map(\.mediaType)) }

    /// Parses the header and checks it against the limits; returns `nil` while it is incomplete.
    public func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        try limits.check(encodedCount: bytes.count)
        guard let format = ImageFormat(sniffing: bytes) else {
            if bytes.count < 12 { return nil }
            throw .zeroPixels
        }
        guard let header = try codec(for: format).header(of: bytes) else { return nil }
        try limits.check(header)
        return header
    }

    /// Decodes an image at `scale`; without `decompresses`, only the header is parsed, and pixels are decoded
    /// on access.
    ///
    /// Throws `zeroPixels` if the content is not an image, `tooLarge` if it exceeds a limit, and `damaged` if
    /// it is truncated. Animations are always decoded on access.
    public func image(
        from bytes: [UInt8],
        scale: Double = 1,
        decompresses: Bool = true
    ) throws(ImageError) -> RasterImage {
        guard let header = try header(of: bytes) else { throw .zeroPixels }
        let encoded = RasterImage.Encoded(bytes: bytes, codec: try codec(for: header.format))
        guard decompresses, !header.isAnimated else {
            return RasterImage(header: header, scale: scale, content: .encoded(encoded))
        }
        let pixels = try encoded.codec.decode(bytes, allowsTruncation: false)
        return RasterImage(header: header, scale: scale, content: .pixels(pixels))
    }

    /// Decodes the available part of an image at full size; `nil` if there is none yet.
    public func partialImage(from bytes: [UInt8], header: ImageHeader, scale: Double = 1) -> RasterImage? {
        guard !header.isAnimated, let codec = codecs[header.format],
            let pixels = try? codec.decode(bytes, allowsTruncation: true)
        else { return nil }
        return RasterImage(header: header, scale: scale, content: .pixels(pixels))
    }

    /// Encodes an image; `quality` is from 0 to 1, any other value counts as 1.
    public func bytes(
        of image: RasterImage,
        as format: ImageFormat,
        quality: Double = 1
    ) throws(ImageError) -> [UInt8] {
        try codec(for: format).encode(try image.pixels(), quality: quality)
    }

    private func codec(for format: ImageFormat) throws(ImageError) -> any ImageCodec {
        guard let codec = codecs[format] else {
            throw .unsupported("no codec is registered for \(format.rawValue)")
        }
        return codec
    }
}
