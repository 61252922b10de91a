import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Stores a complete response, if the hook agrees; true when it is stored.
    nonisolated(nonsending) func keep(
        _ pending: PendingResponse,
        _ body: StoredBody,
        _ propose: (@Sendable (CacheEntry) -> Void)? = nil
    ) async -> Bool {
        guard let store, !isOvertaken(pending, in: store), pending.watch?.isCleared != true else {
            return false
        }
        var entry = CacheEntry(stored: pending.stored, body: body)
        // Nobody is asked about what is too large. It goes to `put` all the same, which removes what it replaces.
        if propose != nil || configuration.willCache != nil, !store.admits(entry) {
            _ = store.put(entry)
            return false
        }
        propose?(entry)
        if let hook = configuration.willCache {
            guard let replacement = await hook(entry) else { return false }
            entry = replacement
        }
        guard entry.storagePolicy != .notAllowed else { return false }
        stamp(&entry)
        let isInvalidated = pending.watch?.isInvalidated == true
        if isInvalidated { entry.stored = entry.stored.invalidated() }
        guard case .stored = store.put(entry) else { return false }
        searches.note(entry.stored)
        if pending.watch?.isCleared == true { store.remove(entry.stored.key, entry.stored.variant) }
        // It may have happened while the response was being put.
        if !isInvalidated, pending.watch?.isInvalidated == true { store.invalidate(pending.stored.key) }
        return true
    }

    /// Whether another exchange has stored a more recent response meanwhile (RFC 9111 §4).
    private func isOvertaken(_ pending: PendingResponse, in store: CacheStore) -> Bool {
        guard pending.watch?.isChanged == true else { return false }
        let stored = pending.stored
        let current = store.entries(for: stored.key).entries.map(\.entry.stored).first {
            $0.variant == stored.variant
        }
        guard let current, !current.isInvalidated, !current.isSame(as: pending.seen) else { return false }
        // What is valid although the key was invalidated has been asked for after that.
        return pending.watch?.isInvalidated == true
            || (current.requestTime, current.date) > (stored.requestTime, stored.date)
    }

    /// Watches what happens to the key while a response for it is on its way.
    func watch(_ hop: Hop, _ looked: Looked) -> KeyWatch? {
        let isStorable =
            hop.request.method == .get || hop.request.method == .post || looked.planned.key.isOfContent
        return isStorable ? store?.watch(looked.planned.key) : nil
    }
}

extension StoredResponse {
    /// Whether the other is from the same exchange.
    fileprivate func isSame(as other: StoredResponse?) -> Bool {
        other.map { $0.requestTime == requestTime && $0.responseTime == responseTime && $0.date == date }
            ?? false
    }
}
