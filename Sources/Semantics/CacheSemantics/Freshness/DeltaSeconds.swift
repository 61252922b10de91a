/// A non-negative number of seconds, as in directives and `Age` (RFC 9111 §1.2.2).
public struct DeltaSeconds: Sendable, Hashable, Comparable {
    /// The number that replaces values too large to represent: 2^31.
    public static let greatest: Int64 = 2_147_483_648

    /// Seconds, from 0 to `greatest`.
    public let seconds: Int64

    /// Creates a number of seconds, clamped to the range.
    public init(_ seconds: Int64) {
        self.seconds = min(max(seconds, 0), Self.greatest)
    }

    /// Parses digits; `nil` for a sign, a fraction, whitespace or anything else.
    public init?(parsing text: some Collection<UInt8>) {
        guard !text.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard ASCII.isDigit(byte) else { return nil }
            value = min(value * 10 + Int64(byte - ASCII.zero), Self.greatest)
        }
        seconds = value
    }

    /// Whether the left number is smaller.
    public static func < (left: DeltaSeconds, right: DeltaSeconds) -> Bool {
        left.seconds < right.seconds
    }
}
