public import CacheSemantics

/// A store that passes to another every call that it does not implement itself.
///
/// An application's own rules for reading and writing are a class that conforms to it and implements `entries(for:)`,
/// `put(_:watchedBy:)`, or both. Entries that `entries(for:)` leaves out do not answer requests. Clients, sessions and
/// image loaders accept it in place of a `CacheStore`.
///
///     final class SmallOnly: ResponseStoreDecorator {
///         let base: any ResponseStore
///         init(_ base: any ResponseStore) { self.base = base }
///         func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
///             entry.body.count > 1000 ? .refused(.notAllowed) : base.put(entry, watchedBy: watch)
///         }
///     }
public protocol ResponseStoreDecorator: ResponseStore {
    /// The store that gets the calls.
    var base: any ResponseStore { get }
}

extension ResponseStoreDecorator {
    /// Calls the same function of `base`.
    public func entries(for key: CacheKey) -> StoredEntries { base.entries(for: key) }
    /// Calls the same function of `base`.
    public func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        base.put(entry, watchedBy: watch)
    }
    /// Calls the same function of `base`.
    public func reportLater(_ damage: [StorageDamage]) { base.reportLater(damage) }
    /// Calls the same function of `base`.
    public func admits(_ entry: CacheEntry) -> Bool { base.admits(entry) }
    /// Calls the same function of `base`.
    public func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool {
        base.freshen(stored, seen: seen)
    }
    /// Calls the same function of `base`.
    public func joined(_ old: CacheEntry, _ new: CacheEntry) throws(StorageError) -> StoredBody? {
        try base.joined(old, new)
    }
    /// Calls the same function of `base`.
    public func spool(expectedSize: ByteCount?) -> BodySpool { base.spool(expectedSize: expectedSize) }
    /// That of `base`.
    public var searchable: [StoredResponse] { base.searchable }
    /// Calls the same function of `base`.
    public func watch(_ key: CacheKey) -> KeyWatch { base.watch(key) }

    /// Calls the same function of `base`.
    public func invalidate(_ key: CacheKey) -> ChangeOutcome { base.invalidate(key) }
    /// Calls the same function of `base`.
    public func invalidate(groups: [String], of origin: String) -> ChangeOutcome {
        base.invalidate(groups: groups, of: origin)
    }
    /// Calls the same function of `base`.
    public func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome { base.remove(key, variant) }
    /// Calls the same function of `base`.
    public func remove(_ key: CacheKey) -> ChangeOutcome { base.remove(key) }
    /// Calls the same function of `base`.
    public func remove(storedSince timeSinceEpoch: Duration) -> ChangeOutcome {
        base.remove(storedSince: timeSinceEpoch)
    }
    /// Calls the same function of `base`.
    public func removeAll() -> ChangeOutcome { base.removeAll() }
    /// Calls the same function of `base`.
    public func removeAll(of origin: String) -> ChangeOutcome { base.removeAll(of: origin) }

    /// That of `base`.
    public var largestEntry: Int { base.largestEntry }
    /// That of `base`.
    public var memoryUsage: ByteCount { base.memoryUsage }
    /// That of `base`.
    public var diskUsage: ByteCount { base.diskUsage }
    /// That of `base`.
    public var entryCount: Int { base.entryCount }
    /// That of `base`.
    public var writeFailure: StorageError? { base.writeFailure }
    /// Calls the same function of `base`.
    public func setCapacities(memory: ByteCount?, disk: ByteCount?) {
        base.setCapacities(memory: memory, disk: disk)
    }
    /// Calls the same function of `base`.
    public func flush() { base.flush() }
    /// Calls the same function of `base`.
    public func close() { base.close() }
}
