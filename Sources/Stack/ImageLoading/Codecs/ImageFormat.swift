/// Image formats, detected by their first bytes; file names and media types are ignored.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG, with a built-in codec.
    case jpeg
    /// PNG, with a built-in codec.
    case png
    /// GIF, with a codec in `AnimatedImages`.
    case gif
    /// WebP, with a codec in `AnimatedImages`.
    case webP

    /// The eight-byte signature of PNG.
    public static let pngSignature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    /// Detects the format by the first bytes; `nil` if it is unknown, or there are too few bytes.
    public init?(sniffing bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Self.pngSignature) {
            self = .png
        } else if head.starts(with: "GIF8".utf8) {
            self = .gif
        } else if head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) {
            self = .webP
        } else {
            return nil
        }
    }

    /// The registered media type.
    public var mediaType: String { self == .webP ? "image/webp" : "image/\(rawValue)" }
}
