import CacheStorage
import Locks

/// A memory cache that removes the least recently used entries when its total cost or count exceeds a limit.
///
/// It is used like a dictionary whose entries may disappear. Its methods may be called from any thread.
public final class CostCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let state: Lock<LeastRecentlyUsed<Key, Value>>

    /// Creates an empty cache; `nil`, the default, is no limit.
    ///
    /// The unit of costs is the caller's choice.
    public init(costLimit: Int? = nil, countLimit: Int? = nil) {
        state = Lock(LeastRecentlyUsed(costLimit: costLimit, countLimit: countLimit))
    }

    /// The value of a key; reading it counts as a use.
    ///
    /// Setting it stores the value at cost 0; `nil` removes it.
    public subscript(key: Key) -> Value? {
        get { state.withLock { $0.use(key) } }
        set { if let newValue { insert(newValue, for: key, cost: 0) } else { remove(key) } }
    }

    /// Stores a value, replacing the previous one; a value whose cost alone exceeds the limit is not stored.
    public func insert(_ value: Value, for key: Key, cost: Int) {
        state.withLock { $0.insert(value, for: key, cost: max(0, cost)) }
    }

    /// Removes a value and returns it; `nil` if there was none.
    @discardableResult
    public func remove(_ key: Key) -> Value? { state.withLock { $0.remove(key) } }

    /// Removes all values.
    public func removeAll() { state.withLock { $0.trim(toCost: 0, count: 0) } }

    /// Removes least recently used values until the total cost is at most `cost`.
    public func trim(toCost cost: Int) { state.withLock { $0.trim(toCost: cost, count: .max) } }

    /// Removes half of the cache at a warning, and everything under critical pressure.
    public func relieve(_ pressure: MemoryPressure) {
        state.withLock { state in
            switch pressure {
            case .warning: state.trim(toCost: state.totalCost / 2, count: state.count / 2)
            case .critical: state.trim(toCost: 0, count: 0)
            }
        }
    }

    /// The total cost of all values.
    public var totalCost: Int { state.withLock { $0.totalCost } }

    /// The number of values.
    public var count: Int { state.withLock { $0.count } }

    /// Sets the limits and removes what exceeds them.
    public func setLimits(cost: Int?, count: Int?) {
        state.withLock { $0.setLimits(cost: cost, count: count) }
    }
}

/// The entries of a cache in order of use.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
        let cost: Int
    }
    private var slots: [Key: Int] = [:]
    /// The entries by slot.
    private var entries: [Entry?] = []
    private var recency = RecencyList()
    private var costLimit: Int?
    private var countLimit: Int?
    private(set) var totalCost = 0

    init(costLimit: Int?, countLimit: Int?) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    var count: Int { slots.count }

    mutating func setLimits(cost: Int?, count: Int?) {
        costLimit = cost
        countLimit = count
        trimToLimits()
    }

    mutating func use(_ key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        recency.touch(slot)
        return entries[slot]?.value
    }

    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= costLimit ?? .max else { return }
        let slot = recency.add()
        if slot == entries.count { entries.append(nil) }
        entries[slot] = Entry(key: key, value: value, cost: cost)
        slots[key] = slot
        totalCost += cost
        trimToLimits()
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key), let entry = entries[slot] else { return nil }
        recency.remove(slot)
        entries[slot] = nil
        totalCost -= entry.cost
        return entry.value
    }

    mutating func trim(toCost cost: Int, count: Int) {
        while totalCost > cost || self.count > count, let oldest = recency.oldest,
            let key = entries[oldest]?.key
        {
            remove(key)
        }
    }

    private mutating func trimToLimits() {
        trim(toCost: costLimit ?? .max, count: countLimit ?? .max)
    }
}
