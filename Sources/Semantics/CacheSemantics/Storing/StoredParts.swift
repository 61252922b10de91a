/// The bytes of a representation that an incomplete stored response has (RFC 9111 §3.3).
///
/// The stored content is that of the ranges, concatenated.
public struct StoredParts: Sendable, Hashable {
    /// Ascending and neither overlapping nor adjacent; never empty.
    public let ranges: [ByteRange]
    /// The complete length of the representation; `nil` if it is unknown.
    public let completeLength: Int64?
    /// Whether the parts may be stored only in combination with a stored response: they answer If-Range, so they may lack
    /// fields of the representation (RFC 9110 §15.3.7).
    package var isOnlyForCombining = false
    /// Whether the request for parts that have just arrived had Authorization, so that a cache of several users stores
    /// them only if a directive of the result permits sharing them (RFC 9111 §3.5).
    package var hadAuthorization = false

    /// Creates parts; `nil` without a range, or if one ends beyond the complete length.
    public init?(_ ranges: [ByteRange], completeLength: Int64?) {
        let joined = Self.joined(ranges)
        guard let last = joined.last, last.last < completeLength ?? .max else { return nil }
        self.ranges = joined
        self.completeLength = completeLength
    }

    /// The number of stored bytes.
    public var count: Int64 { ranges.reduce(0) { $0 + $1.count } }

    /// Whether no byte is missing.
    public var isComplete: Bool { count == completeLength }

    /// Whether all bytes of a range are stored.
    public func contains(_ range: ByteRange) -> Bool { ranges.contains { $0.contains(range) } }

    /// Returns the offset of a range in the stored content; `nil` if not all of its bytes are stored.
    public func offset(of range: ByteRange) -> Int64? {
        var offset: Int64 = 0
        for held in ranges {
            if held.contains(range) { return offset + range.first - held.first }
            offset += held.count
        }
        return nil
    }

    /// Returns the union of both; `nil` if one has bytes beyond the complete length of the other.
    public func union(_ other: StoredParts) -> StoredParts? {
        StoredParts(ranges + other.ranges, completeLength: completeLength ?? other.completeLength)
    }

    /// Returns the missing range between `first` and `last`, which may include stored bytes between gaps.
    ///
    /// `nil` if none is missing. Without `last` the range is open, unless the complete length is known.
    func gap(from first: Int64, through last: Int64?) -> Gap? {
        var start = first
        if let held = ranges.first(where: { $0.first <= start && start <= $0.last }) { start = held.last + 1 }
        guard var end = last ?? completeLength.map({ $0 - 1 }) else { return Gap(first: start, last: nil) }
        if let held = ranges.first(where: { $0.first <= end && end <= $0.last }) { end = held.first - 1 }
        guard start <= end else { return nil }
        return Gap(first: start, last: end)
    }

    /// Missing positions; open without `last`.
    struct Gap: Sendable, Hashable {
        let first: Int64
        let last: Int64?
    }

    private static func joined(_ ranges: [ByteRange]) -> [ByteRange] {
        var joined: [ByteRange] = []
        for range in ranges.sorted(by: { $0.first < $1.first }) {
            if let last = joined.last, last.touches(range) {
                joined[joined.count - 1] = last.joined(with: range)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
