/// A non-negative number of seconds as directives and `Age` give it (RFC 9111 §1.2.2).
public struct DeltaSeconds: Sendable, Hashable, Comparable {
    /// The number that a value too large to count stands for: 2^31.
    public static let greatest: Int64 = 2_147_483_648

    /// Seconds, from 0 to `greatest`.
    public let seconds: Int64

    /// Creates a number of seconds; out of range is the nearer end.
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

    /// Whether the left one is shorter.
    public static func < (left: DeltaSeconds, right: DeltaSeconds) -> Bool {
        left.seconds < right.seconds
    }
}
