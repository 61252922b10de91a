import TextCodings

/// A bearer token.
public struct AccessToken: Sendable {
    /// The characters that are sent after `Bearer`.
    public let text: String

    /// Creates a token of 8 to 200 characters of the syntax for `Bearer` (RFC 6750 §2.1); `nil` for anything else.
    public init?(_ text: String) {
        guard (8...200).contains(text.utf8.count), text.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        self.text = text
    }

    /// The syntax of a token, for messages.
    public static let shape = "8 to 200 letters, digits and -._~+/="

    /// Returns a token of 128 random bits from the system's generator.
    public static func random() -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let halves = (0..<2).map { _ in Hexadecimal.digits(of: generator.next() as UInt64) }
        return AccessToken(made: halves.joined())
    }

    private init(made text: String) { self.text = text }

    /// Returns whether another text is the token, in constant time.
    public func matches(_ other: some Sequence<UInt8>) -> Bool {
        let other = Array(other)
        var difference = other.count ^ text.utf8.count
        for (index, byte) in text.utf8.enumerated() {
            difference |= Int(byte ^ (index < other.count ? other[index] : 0))
        }
        return difference == 0
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "-._~+/=".utf8.contains(byte)
    }
}
