import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Carries out the edits that are possible now; returns the response to store when its content is complete.
    func apply(
        _ edits: [StoreEdit],
        _ lookup: PlannedLookup,
        _ watch: KeyWatch?,
        _ status: inout CacheStatus
    ) -> PendingResponse? {
        guard let store else { return nil }
        var pending: PendingResponse?
        // An invalidation by an unsafe request itself does not apply to its own response (RFC 9110 §9.3.3).
        let isPosted = lookup.planned.request.method == .post && watch?.isInvalidated == false
        for edit in edits {
            switch edit {
            case .put(let stored):
                let seen = lookup.entry(of: stored)?.entry.stored
                let watch = isPosted ? store.watch(stored.key) : watch
                pending = PendingResponse(stored: stored, seen: seen, watch: watch)
            case .putSeparated(let stored, let ranges):
                pending = PendingResponse(
                    stored: stored,
                    seen: lookup.entry(of: stored)?.entry.stored,
                    watch: watch,
                    ranges: ranges
                )
            case .freshen(let stored):
                let seen = lookup.entry(of: stored)?.entry
                let isFreshened = freshen(stored, seen: seen, watch, in: store)
                // A response that is only marked as outdated is not stored (RFC 9211 §2.5).
                status.isStored = isFreshened && !stored.isInvalidated
            case .putAlias(let stored): status.isStored = keep(alias: stored, lookup, watch)
            case .invalidate(let key): status.note(store.invalidate(key))
            case .invalidateGroups(let origin, let groups):
                status.note(store.invalidate(groups: groups, of: origin))
            case .clear(let origin): status.note(store.removeAll(of: origin))
            case .remove(let key, let variant):
                guard isStill(lookup, variant, in: store) else { continue }
                status.note(store.remove(key, variant))
            }
        }
        return pending
    }
}
