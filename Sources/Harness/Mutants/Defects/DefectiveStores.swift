import CacheClient
import CacheSemantics
import CacheStorage
import Locks

/// Stores responses with no-store and never returns them.
final class NoStoreRetainingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func entries(for key: CacheKey) -> StoredEntries {
        let found = base.entries(for: key)
        let shown = found.entries.filter { !$0.entry.stored.cacheControl.noStore }
        return StoredEntries(entries: shown, damage: found.damage)
    }
}

/// Loses all entries when it closes.
final class ForgetfulStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func close() {
        base.removeAll()
        base.close()
    }
}

/// Reports twice as many bytes as there are.
final class SizeDoublingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    var memoryUsage: ByteCount { .bytes(base.memoryUsage.bytes * 2) }
    var diskUsage: ByteCount { .bytes(base.diskUsage.bytes * 2) }
}

/// Ignores changes of its capacities.
final class FixedCapacityStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func setCapacities(memory: ByteCount?, disk: ByteCount?) {}
}

/// Makes room by removing the most recently used entry.
final class EvictsMostRecentStore: StoreDecorator {
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

/// Writes entries to disk that are for memory only.
final class WritingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        var entry = entry
        if entry.storagePolicy == .allowedInMemoryOnly { entry.storagePolicy = .allowed }
        return base.put(entry, watchedBy: watch)
    }
}

/// Loses the user info of an entry.
final class InfoLosingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        var entry = entry
        entry.userInfo = [:]
        return base.put(entry, watchedBy: watch)
    }
}

/// Removes nothing.
final class KeepingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome { .done(keys: 0) }
    func remove(_ key: CacheKey) -> ChangeOutcome { .done(keys: 0) }
    func remove(storedSince timeSinceEpoch: Duration) -> ChangeOutcome { .done(keys: 0) }
    func removeAll() -> ChangeOutcome { .done(keys: 0) }
}

/// Scans all entries before each lookup.
final class SearchingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func entries(for key: CacheKey) -> StoredEntries {
        (base as? CacheStore)?.remove(prefix: "nothing begins so")
        return base.entries(for: key)
    }
}

/// Stores content without its last byte.
final class ShorteningStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        guard entry.stored.parts == nil, let bytes = try? entry.body.readAll() else {
            return base.put(entry, watchedBy: watch)
        }
        var entry = entry
        entry.body = .bytes(bytes.dropLast())
        return base.put(entry, watchedBy: watch)
    }
}

/// Converts stored text to capitals.
final class TransformingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        guard let bytes = try? entry.body.readAll() else { return base.put(entry, watchedBy: watch) }
        var entry = entry
        entry.body = .bytes(bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })
        return base.put(entry, watchedBy: watch)
    }
}

/// Stores an entry as soon as it is asked whether it would, and ignores later changes of the entry.
final class ImmediateStore: StoreDecorator {
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

/// Reports another storing time than the one of an entry.
final class TimestampShiftingStore: StoreDecorator {
    let base: any ResponseStore
    private let bent: @Sendable (Double) -> Double

    init(_ base: any ResponseStore, _ bent: @escaping @Sendable (Double) -> Double) {
        self.base = base
        self.bent = bent
    }

    func entries(for key: CacheKey) -> StoredEntries {
        let found = base.entries(for: key)
        return StoredEntries(entries: found.entries.map(bent), damage: found.damage)
    }

    private func bent(_ located: LocatedEntry) -> LocatedEntry {
        let name = CachingClient.expirationStampName
        var entry = located.entry
        guard case .number(let stamp) = entry.userInfo[name] else { return located }
        entry.userInfo[name] = .number(bent(stamp))
        return LocatedEntry(entry: entry, tier: located.tier)
    }
}
