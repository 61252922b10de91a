import CacheClient
import CacheSemantics
import CacheStorage
import Locks

/// Loses all entries when it closes.
final class VolatileStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func close() {
        base.removeAll()
        base.close()
    }
}

/// Reports twice as many bytes as there are.
final class SizeDoublingStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    var memoryUsage: ByteCount { .bytes(base.memoryUsage.bytes * 2) }
    var diskUsage: ByteCount { .bytes(base.diskUsage.bytes * 2) }
}

/// Ignores changes of its capacities.
final class FixedCapacityStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func setCapacities(memory: ByteCount?, disk: ByteCount?) {}
}

/// Makes room by removing the most recently used entry.
final class EvictsMostRecentStore: ResponseStoreDecorator {
    let base: any ResponseStore
    private let recent = Lock([CacheEntry]())

    init(_ base: any ResponseStore) { self.base = base }

    func entries(for key: CacheKey) -> StoredEntries {
        let found = base.entries(for: key)
        if let entry = found.entries.last?.entry { note(entry) }
        return found
    }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        let before = base.entryCount
        let outcome = base.put(entry, watchedBy: watch)
        guard base.entryCount <= before else {
            note(entry)
            return outcome
        }
        // An entry was removed, or will be: the most recently used one is removed, too.
        if let last = recent.withLock({ $0.popLast() }) { base.remove(last.stored.key, last.stored.variant) }
        note(entry)
        return outcome
    }

    private func note(_ entry: CacheEntry) {
        recent.withLock { recent in
            recent.removeAll { $0.stored.key == entry.stored.key }
            recent.append(entry)
        }
    }
}

/// Removes nothing.
final class KeepingStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome { .done(keys: 0) }
    func remove(_ key: CacheKey) -> ChangeOutcome { .done(keys: 0) }
    func remove(storedSince timeSinceEpoch: Duration) -> ChangeOutcome { .done(keys: 0) }
    func removeAll() -> ChangeOutcome { .done(keys: 0) }
}

/// Scans all entries before each lookup.
final class SearchingStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func entries(for key: CacheKey) -> StoredEntries {
        (base as? CacheStore)?.remove(prefix: "nothing begins so")
        return base.entries(for: key)
    }
}

/// Stores an entry as soon as it is asked whether it would, and ignores later changes of the entry.
final class ImmediateStore: ResponseStoreDecorator {
    let base: any ResponseStore
    private let proposed = Lock([CacheKey: CacheEntry]())

    init(_ base: any ResponseStore) { self.base = base }

    func admits(_ entry: CacheEntry) -> Bool {
        guard base.admits(entry) else { return false }
        proposed.withLock { $0[entry.stored.key] = entry }
        _ = base.put(entry)
        return true
    }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        let first = proposed.withLock { $0.removeValue(forKey: entry.stored.key) }
        return base.put(first ?? entry, watchedBy: watch)
    }
}
