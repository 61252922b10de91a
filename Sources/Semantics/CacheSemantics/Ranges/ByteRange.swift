/// A closed range of byte positions of a representation (RFC 9110 §14.1.2).
public struct ByteRange: Sendable, Hashable {
    /// The largest position, small enough that sums of counts cannot overflow.
    static let largestPosition: Int64 = 1 << 59

    /// The position of the first byte, from 0.
    public let first: Int64
    /// The position of the last byte.
    public let last: Int64

    /// Creates a range; `nil` if it would be empty, begin before the first byte or end beyond 2^59.
    public init?(first: Int64, last: Int64) {
        guard first >= 0, last >= first, last <= Self.largestPosition else { return nil }
        self.first = first
        self.last = last
    }

    /// The number of bytes.
    public var count: Int64 { last - first + 1 }

    /// Whether all bytes of another range are within this one.
    package func contains(_ other: ByteRange) -> Bool { first <= other.first && other.last <= last }

    /// Whether the two overlap or are adjacent.
    func touches(_ other: ByteRange) -> Bool { first <= other.last + 1 && other.first <= last + 1 }

    /// Returns the range from the first position of either to the last of either.
    func joined(with other: ByteRange) -> ByteRange {
        ByteRange(first: min(first, other.first), last: max(last, other.last)) ?? self
    }
}
