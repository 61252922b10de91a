import CacheSemantics
import CacheStorage

/// A store that forwards to another every call that it does not implement; each has one defect.
protocol StoreDecorator: ResponseStore {
    /// The store that gets the calls.
    var base: any ResponseStore { get }
}

/// A store that forwards every call, and has no defect.
final class ForwardingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }
}

extension StoreDecorator {
    func entries(for key: CacheKey) -> StoredEntries { base.entries(for: key) }
    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        base.put(entry, watchedBy: watch)
    }
    func reportLater(_ damage: [StorageDamage]) { base.reportLater(damage) }
    func admits(_ entry: CacheEntry) -> Bool { base.admits(entry) }
    func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool { base.freshen(stored, seen: seen) }
    func joined(_ old: CacheEntry, _ new: CacheEntry) throws(StorageError) -> StoredBody? {
        try base.joined(old, new)
    }
    func spool(expectedSize: Int?) -> BodySpool { base.spool(expectedSize: expectedSize) }
    var searchable: [StoredResponse] { base.searchable }
    func watch(_ key: CacheKey) -> KeyWatch { base.watch(key) }

    func invalidate(_ key: CacheKey) -> ChangeOutcome { base.invalidate(key) }
    func invalidate(groups: [String], of origin: String) -> ChangeOutcome {
        base.invalidate(groups: groups, of: origin)
    }
    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome { base.remove(key, variant) }
    func remove(_ key: CacheKey) -> ChangeOutcome { base.remove(key) }
    func remove(storedSince wallSeconds: Double) -> ChangeOutcome { base.remove(storedSince: wallSeconds) }
    func removeAll() -> ChangeOutcome { base.removeAll() }
    func removeAll(of origin: String) -> ChangeOutcome { base.removeAll(of: origin) }

    var largestEntry: Int { base.largestEntry }
    var memoryUsage: Int { base.memoryUsage }
    var diskUsage: Int { base.diskUsage }
    var entryCount: Int { base.entryCount }
    func setCapacities(memory: Int?, disk: Int?) { base.setCapacities(memory: memory, disk: disk) }
    func flush() { base.flush() }
    func close() { base.close() }
}
