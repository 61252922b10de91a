public import CacheSemantics

/// The order and target of eviction when a cache exceeds its size limit.
public struct EvictionRule: Sendable, Hashable {
    /// The order in which files are evicted.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Order: Sendable, Hashable {
        /// Least recently written files first, regardless of reads.
        case leastRecentlyWritten
        /// Least recently read or written files first; each read updates the file's time.
        case leastRecentlyUsed
    }
    /// The size at which eviction stops.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Target: Sendable, Hashable {
        /// Less than half of the size limit.
        case belowHalf
        /// At most this size.
        case atMost(ByteCount)
    }
    /// The order, which also determines the time from which a file's age is counted.
    public var order: Order
    /// The size at which eviction stops.
    public var target: Target

    /// Creates a rule.
    public init(order: Order, target: Target) {
        self.order = order
        self.target = target
    }

    /// Evicts the least recently written files until less than half of the limit remains.
    public static let oldestToHalf = EvictionRule(order: .leastRecentlyWritten, target: .belowHalf)

    /// Evicts the least recently used files until at most this size remains.
    public static func leastRecentlyUsed(to size: ByteCount) -> EvictionRule {
        EvictionRule(order: .leastRecentlyUsed, target: .atMost(size))
    }

    func isMet(total: Int, limit: Int) -> Bool {
        switch target {
        case .belowHalf: total < limit / 2
        case .atMost(let size): total <= size.bytes
        }
    }
}
