import CacheSemantics
import CacheStorage

/// A store that treats several keys as one.
final class KeyMergingStore: ResponseStoreDecorator {
    let base: any ResponseStore
    private let bent: @Sendable (CacheKey) -> CacheKey

    init(_ base: any ResponseStore, _ bent: @escaping @Sendable (CacheKey) -> CacheKey) {
        self.base = base
        self.bent = bent
    }

    func entries(for key: CacheKey) -> StoredEntries { base.entries(for: bent(key)) }

    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        var entry = entry
        entry.stored = bent(entry.stored)
        return base.put(entry, watchedBy: watch)
    }

    func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool {
        base.freshen(bent(stored), seen: seen)
    }

    func watch(_ key: CacheKey) -> KeyWatch { base.watch(bent(key)) }

    func invalidate(_ key: CacheKey) -> ChangeOutcome { base.invalidate(bent(key)) }

    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome {
        base.remove(bent(key), variant)
    }

    func remove(_ key: CacheKey) -> ChangeOutcome { base.remove(bent(key)) }

    private func bent(_ stored: StoredResponse) -> StoredResponse {
        let key = bent(stored.key)
        return key == stored.key ? stored : stored.with(\.key, key)
    }
}
