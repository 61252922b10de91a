internal import HTTPTypes

/// Stored responses in memory; those that were used least recently are removed first.
public struct MemoryEngineStore: EngineStore, Sendable {
    private struct Slot: Sendable {
        var stored: StoredContent
        var lastUse: UInt64
    }
    /// The most content and header fields that it holds.
    public let capacity: ByteCount
    /// The content and header fields that it holds.
    public var size: ByteCount { .bytes(storedBytes) }
    /// The recent invalidations.
    public var changes = StoreChanges()
    private var slots: [CacheKey: [Slot]] = [:]
    private var uses: UInt64 = 0
    private var storedBytes = 0

    /// Creates an empty store; `capacity` is 64 MiB by default.
    public init(capacity: ByteCount = .mebibytes(64)) {
        self.capacity = capacity
    }

    /// The number of stored responses.
    public var count: Int { slots.values.reduce(0) { $0 + $1.count } }

    /// Returns all stored responses of a key, and notes that they are used.
    public mutating func responses(for key: CacheKey) -> [StoredContent] {
        guard let index = slots.index(forKey: key) else { return [] }
        uses += 1
        for place in slots.values[index].indices { slots.values[index][place].lastUse = uses }
        return slots.values[index].map(\.stored)
    }

    /// Returns all stored responses of an origin.
    public func responses(of origin: String) -> [StoredContent] {
        slots.values.flatMap { $0.map(\.stored) }.filter { $0.response.origin == origin }
    }

    /// Stores a response in place of the one with the same key and variant; one that is larger than the store is not
    /// stored.
    public mutating func put(_ response: StoredContent) {
        remove(response.key, response.variant)
        guard response.cost <= capacity.bytes else { return }
        uses += 1
        slots[response.key, default: []].append(Slot(stored: response, lastUse: uses))
        storedBytes += response.cost
        if storedBytes > capacity.bytes { evict() }
    }

    /// Removes a stored response.
    public mutating func remove(_ key: CacheKey, _ variant: VariantKey) {
        guard let index = slots[key]?.firstIndex(where: { $0.stored.variant == variant }),
            let removed = slots[key]?.remove(at: index)
        else { return }
        storedBytes -= removed.stored.cost
        if slots[key]?.isEmpty == true { slots[key] = nil }
    }

    /// Removes everything.
    public mutating func removeAll() {
        for origin in Set(slots.values.joined().map(\.stored.response.origin)) {
            changes.noteClearance(of: origin)
        }
        slots = [:]
        storedBytes = 0
    }

    /// Removes those used least recently until a tenth of the capacity is free, so that most puts remove nothing.
    private mutating func evict() {
        let wanted = capacity.bytes - capacity.bytes / 10
        for slot in slots.values.joined().sorted(by: { $0.lastUse < $1.lastUse }) {
            // The newest is the one just stored, which fits alone.
            guard storedBytes > wanted, slot.lastUse < uses else { return }
            remove(slot.stored.key, slot.stored.variant)
        }
    }
}

extension StoredContent {
    /// Its size in bytes: content, key and header fields.
    fileprivate var cost: Int {
        response.response.headerFields.reduce(content.count + key.targetURI.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
    }
}
