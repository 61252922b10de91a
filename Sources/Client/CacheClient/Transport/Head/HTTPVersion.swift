/// The version of HTTP in which a response was received (RFC 9110 §2.5); the raw value is its number in `Via`.
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// HTTP/1.0.
    case http10 = "1.0"
    /// HTTP/1.1, and compatible versions.
    case http11 = "1.1"
    /// HTTP/2.
    case http2 = "2"
}
