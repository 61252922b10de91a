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
        // What is valid now was stored after an invalidation since the request was sent, which does not concern it.
        let isValid = seen?.stored.isInvalidated == false
        let watch = isValid ? store.watch(stored.key) : watch
        guard watch?.isInvalidated(for: stored) != true, store.freshen(stored, seen: seen) else {
            return false
        }
        // The store may just have read the invalidation from another store.
        guard watch?.isInvalidated(for: stored) == true else { return true }
        store.invalidate(stored.key)
        return false
    }
}
