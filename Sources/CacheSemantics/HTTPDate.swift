/// A moment in whole seconds, as HTTP counts time (RFC 9110 §5.6.7).
public struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; may be negative.
    public var secondsSinceEpoch: Int64

    /// Creates the moment `secondsSinceEpoch` seconds after 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Whether the left moment is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }
}
