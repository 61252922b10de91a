import CacheSemantics
import CacheStorage

extension CachingClient {
    /// Freshens a stored response, unless it was invalidated while it was being validated (§4.4).
    func freshen(
        _ stored: StoredResponse,
        seen: CacheEntry?,
        _ watch: KeyWatch?,
        in store: any ResponseStore
    ) -> Bool {
        var watch = watch
        if watch?.isInvalidated(for: stored) == true {
            guard seen?.stored.isInvalidated == false else { return false }
            // What is valid was stored after the invalidation, so that only later ones concern it.
            watch = store.watch(stored.key)
        }
        guard store.freshen(stored, seen: seen) else { return false }
        // The store may just have read the invalidation from another store.
        guard watch?.isInvalidated(for: stored) == true else { return true }
        store.invalidate(stored.key)
        return false
    }
}
