/// What goes first, and how much, when the files of a cache are more than their limit.
public struct EvictionRule: Sendable, Hashable {
    /// By which moment files are old or young.
    public enum Order: Sendable, Hashable {
        /// The first written go first, however often they were read.
        case leastRecentlyWritten
        /// The least recently read or written go first; reading a file notes the moment.
        case leastRecentlyUsed
    }
    /// When enough has gone.
    public enum Target: Sendable, Hashable {
        /// The rest is less than half of the limit.
        case belowHalf
        /// The rest is at most so many bytes.
        case atMost(bytes: Int)
    }
    /// What goes first, and from which moment the age of a file counts.
    public var order: Order
    /// When enough has gone.
    public var target: Target

    /// Creates a rule.
    public init(order: Order, target: Target) {
        self.order = order
        self.target = target
    }

    /// The first written go until less than half of the limit is left.
    public static let oldestToHalf = EvictionRule(order: .leastRecentlyWritten, target: .belowHalf)

    /// The least recently used go until at most so many bytes are left.
    public static func leastRecentlyUsed(to bytes: Int) -> EvictionRule {
        EvictionRule(order: .leastRecentlyUsed, target: .atMost(bytes: bytes))
    }

    func isMet(total: Int, limit: Int) -> Bool {
        switch target {
        case .belowHalf: total < limit / 2
        case .atMost(let bytes): total <= bytes
        }
    }
}
