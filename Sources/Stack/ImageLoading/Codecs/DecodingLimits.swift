/// How large an image may be; checked before decoding, so that a small file cannot fill the memory.
public struct DecodingLimits: Sendable, Hashable {
    /// Bytes of the encoded image at most; default 64 MiB.
    public var encodedBytes = 64 << 20
    /// Pixels in a row or a column at most; default 32,768.
    public var side = 32_768
    /// Bytes of the decoded image at most, four a pixel; default 256 MiB.
    public var decodedBytes = 256 << 20

    /// Creates the default limits.
    public init() {}

    /// Throws `tooLarge` where encoded bytes or the header go beyond a limit.
    func check(_ header: ImageHeader) throws(ImageError) {
        guard header.size.width > 0, header.size.height > 0 else { throw .zeroPixels }
        guard max(header.size.width, header.size.height) <= side else {
            throw .tooLarge("\(header.size) pixels; no side may be longer than \(side)")
        }
        guard header.size.count <= decodedBytes / 4 else {
            throw .tooLarge("\(header.size) pixels; decoded they would take more than \(decodedBytes) bytes")
        }
    }

    func check(encodedCount: Int) throws(ImageError) {
        guard encodedCount <= encodedBytes else {
            throw .tooLarge("\(encodedCount) encoded bytes; at most \(encodedBytes) are allowed")
        }
    }
}
