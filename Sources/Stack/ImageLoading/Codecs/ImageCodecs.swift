/// The codecs of a cache or loader, with the limits that hold for all of them.
public struct ImageCodecs: Sendable {
    /// How large an image may be.
    public var limits = DecodingLimits()
    private var codecs: [ImageFormat: any ImageCodec] = [:]

    /// Creates JPEG and PNG, and whatever else is given; of two codecs for one format the later counts.
    public init(_ others: [any ImageCodec] = []) {
        for codec in [JPEGCodec(), PNGCodec()] as [any ImageCodec] + others { codecs[codec.format] = codec }
    }

    /// What the first bytes say, within the limits; `nil` while the header is not complete.
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

    /// Decodes an image at `scale`; without `decompresses` only its header is read now, and its pixels when they are
    /// asked for.
    ///
    /// Throws `zeroPixels` for what is no image, `tooLarge` before decoding beyond a limit, `damaged` for what is cut
    /// off. An animation is never decoded before it is asked for.
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

    /// What can be shown of an image that is still arriving, at its full size; `nil` while the header has not come.
    public func partialImage(
        from bytes: [UInt8],
        header: ImageHeader,
        scale: Double = 1
    ) -> RasterImage? {
        guard !header.isAnimated, let codec = codecs[header.format],
            let pixels = try? codec.decode(bytes, allowsTruncation: true)
        else { return nil }
        return RasterImage(header: header, scale: scale, content: .pixels(pixels))
    }

    /// Encodes an image; `quality` is from 0 to 1, anything else counts as 1.
    public func bytes(
        of image: RasterImage,
        as format: ImageFormat,
        quality: Double = 1
    ) throws(ImageError) -> [UInt8] {
        try codec(for: format).encode(try image.pixels(), quality: quality)
    }

    private func codec(for format: ImageFormat) throws(ImageError) -> any ImageCodec {
        guard let codec = codecs[format] else {
            throw .unsupported("there is no codec for \(format.rawValue)")
        }
        return codec
    }
}
