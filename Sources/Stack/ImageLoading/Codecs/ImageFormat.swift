/// The formats that are told apart by their first bytes; names and media types are not believed.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG, which is decoded and encoded here.
    case jpeg
    /// PNG, which is decoded and encoded here.
    case png
    /// GIF, for which a codec has to be given.
    case gif
    /// WebP, for which a codec has to be given.
    case webP

    /// The eight bytes that every PNG begins with.
    public static let pngSignature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    /// The format of content that begins so; `nil` for anything else, and for too few bytes.
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
