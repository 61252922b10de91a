public import Fetching

extension JPEGCodec {
    /// Recompresses a JPEG with a quality from 0 to 1, within the default limits; for uploads with a
    /// compression ratio.
    @Sendable
    public static func recompress(_ jpeg: [UInt8], quality: Double) throws -> [UInt8] {
        let codecs = ImageCodecs()
        return try codecs.bytes(of: try codecs.image(from: jpeg), as: .jpeg, quality: quality)
    }
}

extension Upload.Item {
    /// Creates an item from an image, encoded as PNG or as JPEG of quality 1.
    public init(_ image: RasterImage, as format: ImageFormat, fileName: String? = nil) throws(ImageError) {
        self.init(try ImageCodecs().bytes(of: image, as: format), fileName: fileName)
    }
}
