public import CacheSemantics

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
    /// Decodes all frames of an animation, each as it is shown; throws `tooLarge` if together they take more than
    /// `limit` bytes, before that much is allocated or decoded.
    ///
    /// The default decodes a single frame.
    func frames(of bytes: [UInt8], limit: ByteCount) throws(ImageError) -> [ImageFrame]
    /// Encodes with a quality from 0 to 1, which lossless formats ignore.
    func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8]
}

/// A frame of an animation, as it is shown.
public struct ImageFrame: Sendable, Hashable {
    /// The whole image while the frame is shown.
    public var pixels: PixelBuffer
    /// The time for which it is shown; zero for a still image.
    public var duration: Duration

    /// Creates a frame.
    public init(_ pixels: PixelBuffer, duration: Duration) {
        (self.pixels, self.duration) = (pixels, duration)
    }
}

extension ImageCodec {
    /// Decodes a single frame.
    public func frames(of bytes: [UInt8], limit: ByteCount) throws(ImageError) -> [ImageFrame] {
        [ImageFrame(try decode(bytes, allowsTruncation: false), duration: .zero)]
    }

    /// Throws `unsupported`.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        throw .unsupported("\(format.rawValue) has no encoder")
    }
}
