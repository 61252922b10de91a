import CacheSemantics
import CacheStorage

/// A store that changes the entries that it stores or finds; by default none.
final class EntryChangingStore: ResponseStoreDecorator {
    typealias StoredChange = @Sendable (inout CacheEntry, any ResponseStore) -> Void
    /// Returns the entry that is found instead of an entry of a key; `nil` hides the entry.
    typealias FoundChange = @Sendable (CacheEntry, CacheKey) -> CacheEntry?

    let base: any ResponseStore
    private let stored: StoredChange
    private let found: FoundChange

    init(
        _ base: any ResponseStore,
        stored: @escaping StoredChange = { _, _ in },
        found: @escaping FoundChange = { entry, _ in entry }
    ) {
        (self.base, self.stored, self.found) = (base, stored, found)
    }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        var entry = entry
        stored(&entry, base)
        return base.put(entry, watchedBy: watch)
    }

    func entries(for key: CacheKey) -> StoredEntries {
        let all = base.entries(for: key)
        let shown = all.entries.compactMap { located in
            found(located.entry, key).map { LocatedEntry(entry: $0, tier: located.tier) }
        }
        return StoredEntries(entries: shown, damage: all.damage)
    }
}
