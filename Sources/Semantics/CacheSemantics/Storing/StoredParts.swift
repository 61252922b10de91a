/// Which bytes of a representation a stored response has, where it has not all of them (RFC 9111 §3.3).
///
/// The content that is stored with it is that of the ranges, one after the other.
public struct StoredParts: Sendable, Hashable {
    /// Ascending, each apart from the next by at least one byte; never empty.
    public let ranges: [ByteRange]
    /// The length of the whole representation; `nil` where nobody has told it.
    public let completeLength: Int64?

    /// Creates parts; `nil` without a range, and where one ends beyond the complete length.
    public init?(_ ranges: [ByteRange], completeLength: Int64?) {
        let joined = Self.joined(ranges)
        guard let last = joined.last, last.last < completeLength ?? .max else { return nil }
        self.ranges = joined
        self.completeLength = completeLength
    }

    /// How many bytes there are.
    public var count: Int64 { ranges.reduce(0) { $0 + $1.count } }

    /// Whether nothing is missing.
    public var isComplete: Bool { count == completeLength }

    /// Whether all bytes of a range are there.
    public func contains(_ range: ByteRange) -> Bool { ranges.contains { $0.contains(range) } }

    /// Returns where the bytes of a range begin in the stored content; `nil` where not all of them are there.
    public func offset(of range: ByteRange) -> Int64? {
        var offset: Int64 = 0
        for held in ranges {
            if held.contains(range) { return offset + range.first - held.first }
            offset += held.count
        }
        return nil
    }

    /// Returns the parts that both have together; `nil` where one has bytes beyond the end that the other knows of.
    public func union(_ other: StoredParts) -> StoredParts? {
        StoredParts(ranges + other.ranges, completeLength: completeLength ?? other.completeLength)
    }

    /// What is missing of the positions from `first` to `last`, the gaps between held ranges closed.
    ///
    /// `nil` where nothing is. Without `last` the end is open, unless the complete length is known.
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
