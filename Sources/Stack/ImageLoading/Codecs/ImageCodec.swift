/// Turns one format into pixels and, where it can, pixels into that format.
///
/// Called from any thread, several at a time; the limits have been checked with the header before `decode`.
public protocol ImageCodec: Sendable {
    /// The format.
    var format: ImageFormat { get }
    /// What the first bytes say; `nil` while the header is not complete, and throws where there will never be one.
    func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader?
    /// Decodes the whole image; `allowsTruncation` asks for what can be had from content that is still arriving, on a
    /// canvas of the full size.
    func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer
    /// Encodes with a quality from 0 to 1, which formats without loss ignore.
    func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8]
}

extension ImageCodec {
    /// Says that the format is not written.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        throw .unsupported("\(format.rawValue) is not written here")
    }
}
