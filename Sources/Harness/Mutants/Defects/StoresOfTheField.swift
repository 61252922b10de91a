import CacheSemantics
import CacheStorage
import Locks

/// Keeps entries that are replaced.
final class NonReplacingStore: ResponseStoreDecorator {
    let base: any ResponseStore
    private let count = Lock(0)

    init(_ base: any ResponseStore) { self.base = base }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        for located in base.entries(for: entry.stored.key).entries
        where located.entry.stored.variant == entry.stored.variant {
            let number = count.withLock { count in
                count += 1
                return count
            }
            var old = located.entry
            old.stored = old.stored.with(\.variant, VariantKey(text: "\(old.stored.variant.text)#\(number)"))
            _ = base.put(old)
        }
        return base.put(entry, watchedBy: watch)
    }
}

/// Also keeps a second copy of every entry.
final class SecondCopyStore: ResponseStoreDecorator {
    let base: any ResponseStore
    private let copies = Lock([CacheKey: CacheEntry]())

    init(_ base: any ResponseStore) { self.base = base }

    func admits(_ entry: CacheEntry) -> Bool { true }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        copies.withLock { $0[entry.stored.key] = entry }
        _ = base.put(entry)
        return .stored([.memory])
    }

    func entries(for key: CacheKey) -> StoredEntries {
        let found = base.entries(for: key)
        guard found.entries.isEmpty, let entry = copies.withLock({ $0[key] }) else { return found }
        return StoredEntries(entries: [LocatedEntry(entry: entry, tier: .memory)], damage: found.damage)
    }

    var entryCount: Int { max(base.entryCount, copies.withLock { $0.count }) }
}

/// Accepts entries of up to half the permitted size.
final class NarrowStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    var largestEntry: Int { base.largestEntry / 2 }

    func admits(_ entry: CacheEntry) -> Bool {
        base.admits(entry) && entry.body.count <= largestEntry
    }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        guard entry.body.count <= largestEntry else {
            return .refused(.tooLarge(size: entry.body.count, limit: largestEntry))
        }
        return base.put(entry, watchedBy: watch)
    }
}
