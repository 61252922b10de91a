/// The parts of an absolute URL with an authority (RFC 3986 §3), neither decoded nor normalised.
public struct URLParts: Sendable, Hashable {
    /// Scheme in lower case.
    public let scheme: String
    /// Host and port, with user information if there is any.
    public let authority: String
    /// Path and query; begins with `/`.
    public let target: String

    /// Splits a URL and drops its fragment; `nil` without a scheme, `://` and an authority.
    public init?(_ url: some StringProtocol) {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: 0x3A), Self.isScheme(bytes[..<colon]),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let start = colon + 3
        let end = bytes[start...].firstIndex { Self.ends.contains($0) } ?? bytes.endIndex
        guard start < end else { return nil }
        let rest = bytes[end...].prefix { $0 != UInt8(ascii: "#") }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        authority = String(decoding: bytes[start..<end], as: UTF8.self)
        let target = String(decoding: rest, as: UTF8.self)
        self.target = rest.first == UInt8(ascii: "/") ? target : "/" + target
    }

    /// Scheme and authority.
    public var origin: String { "\(scheme)://\(authority)" }

    /// Whether the scheme is http or https.
    public var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// The bytes that end an authority (RFC 3986 §3.2).
    private static let ends = Array("/?#".utf8)

    /// Whether the bytes are a letter, followed by letters, digits, `+`, `-` and `.` (RFC 3986 §3.1).
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
