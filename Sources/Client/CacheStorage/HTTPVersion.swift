/// The version of HTTP in which a response was received (RFC 9110 §2.5); the raw value is its number in `Via`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// HTTP/1.0.
    case http10 = "1.0"
    /// HTTP/1.1, and compatible versions.
    case http11 = "1.1"
    /// HTTP/2.
    case http2 = "2"

    /// Its byte in the binary form of an entry.
    var code: UInt8 {
        switch self {
        case .http10: 0
        case .http11: 1
        case .http2: 2
        }
    }

    /// Returns the version for a byte of the binary form; `nil` for an unknown one.
    init?(code: UInt8) {
        guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = known
    }
}
