public import CacheSemantics

/// Limits of an image's size, checked before decoding, so that a small file cannot exhaust memory.
public struct DecodingLimits: Sendable, Hashable {
    /// The largest encoded size; default 64 MiB.
    public var encodedSize = ByteCount.mebibytes(64)
    /// The largest width and height in pixels; default 32,768.
    public var side = 32_768
    /// The largest decoded size, four bytes per pixel; default 256 MiB.
    public var decodedSize = ByteCount.mebibytes(256)
    /// The largest number of frames of an animation; default 10,000.
    public var frames = 10_000

    /// Creates the default limits.
    public init() {}

    /// Throws `tooLarge` if the header exceeds a limit, and `zeroPixels` if the image is empty.
    func check(_ header: ImageHeader) throws(ImageError) {
        guard header.size.width > 0, header.size.height > 0 else { throw .zeroPixels }
        guard max(header.size.width, header.size.height) <= side else {
            throw .tooLarge("\(header.size) pixels; no side may be longer than \(side)")
        }
        guard header.size.count <= decodedSize.bytes / 4 else {
            throw .tooLarge("\(header.size) pixels; decoded they would take more than \(decodedSize)")
        }
        guard header.frameCount <= frames else {
            throw .tooLarge("\(header.frameCount) frames; at most \(frames) are allowed")
        }
    }

    func check(encodedCount: Int) throws(ImageError) {
        guard encodedCount <= encodedSize.bytes else {
            throw .tooLarge("\(encodedCount) encoded bytes; at most \(encodedSize) are allowed")
        }
    }
}
