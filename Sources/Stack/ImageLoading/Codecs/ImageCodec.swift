/// A decoder of one image format and, optionally, an encoder.
///
/// Called concurrently from any thread. The limits are checked with the header before `decode` is called.
public protocol ImageCodec: Sendable {
    /// The format of the codec.
    var format: ImageFormat { get }
    /// Parses the header; returns `nil` while it is incomplete, and throws if it is malformed.
    func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader?
    /// Decodes the whole image; with `allowsTruncation`, decodes the available part of incomplete content
    /// into a full-size image.
    func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer
    /// Encodes with a quality from 0 to 1, which lossless formats ignore.
    func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8]
}

extension ImageCodec {
    /// Throws `unsupported`.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        throw .unsupported("\(format.rawValue) has no encoder")
    }
}
