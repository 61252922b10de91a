public import Fetching

extension JPEGCodec {
    /// Encodes a JPEG anew with a quality from 0 to 1, within the default limits: what an upload with a ratio needs.
    @Sendable
    public static func recompress(_ jpeg: [UInt8], quality: Double) throws -> [UInt8] {
        let codecs = ImageCodecs()
        return try codecs.bytes(of: try codecs.image(from: jpeg), as: .jpeg, quality: quality)
    }
}

extension Upload.Item {
    /// An image, encoded as PNG or as JPEG of quality 1 now.
    public init(_ image: RasterImage, as format: ImageFormat, fileName: String? = nil) throws(ImageError) {
        self.init(try ImageCodecs().bytes(of: image, as: format), fileName: fileName)
    }
}
