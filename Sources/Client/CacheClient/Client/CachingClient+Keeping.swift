import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Stores a complete response, if the hook agrees; returns whether it is stored.
    nonisolated(nonsending) func keep(
        _ pending: PendingResponse,
        _ body: StoredBody,
        _ propose: (@Sendable (CacheEntry) -> Void)? = nil
    ) async -> Bool {
        guard propose != nil || configuration.willCache != nil else { return keepUnasked(pending, body) }
        guard let store else { return false }
        switch proposal(pending, body, in: store) {
        case .settled(let isStored): return isStored
        case .entry(let entry):
            // The hook is not called for an entry that is too large. `put` is called, because it removes the entry to
            // be replaced.
            guard store.admits(entry) else {
                _ = store.put(entry)
                return false
            }
            propose?(entry)
            guard let hook = configuration.willCache else { return put(entry, pending, in: store) }
            guard let replacement = await hook(entry) else { return false }
            // Other content would not match the ranges.
            guard replacement.stored.parts == nil || replacement.body.count == entry.body.count else {
                return false
            }
            return put(replacement, pending, in: store)
        }
    }

    /// Whether the content of a response is to be stored, as far as is known before it arrives.
    func mayStore(_ answer: TransactionResult) -> Bool {
        let length = answer.contentLength
        return plainStore?._withUnsafeGuaranteedRef { $0.mayStore(contentLength: length) } ?? true
    }

    /// Adds to an answer's status that it is not stored because it is too large; `count` is `nil` if its size is unknown.
    func noteSize(_ count: Int?, of answer: TransactionResult) {
        guard let count, let store else { return }
        answer.status.note(size: count, limit: store.largestEntry)
    }

    /// Stores a complete response without asking a hook; returns whether it is stored.
    func keepUnasked(_ pending: PendingResponse, _ body: StoredBody) -> Bool {
        guard let store else { return false }
        switch proposal(pending, body, in: store) {
        case .settled(let isStored): return isStored
        case .entry(let entry): return put(entry, pending, in: store)
        }
    }

    /// Stores an alias of another variant's content, unless it was overtaken or invalidated meanwhile.
    ///
    /// A cache with its own expiry stores none, because the expiry counts from the time at which content was stored.
    func keep(alias: StoredResponse, _ lookup: PlannedLookup, _ watch: KeyWatch?) -> Bool {
        guard let store, let watch, configuration.expirationInterval == nil,
            let source = lookup.content(of: alias)?.entry
        else { return false }
        let seen = lookup.entry(of: alias)?.entry.stored
        let pending = PendingResponse(stored: alias, seen: seen, watch: watch)
        guard accepts(pending, in: store), !pending.isInvalidated else { return false }
        var entry = CacheEntry(
            stored: alias,
            body: .bytes([]),
            userInfo: source.userInfo,
            storagePolicy: source.storagePolicy
        )
        entry.version = source.version
        return put(entry, pending, in: store)
    }

    /// Whether the stored variant is still the one that was found before the request was sent.
    func isStill(_ lookup: PlannedLookup, _ variant: VariantKey, in store: any ResponseStore) -> Bool {
        let seen = lookup.entries.first { $0.entry.stored.variant == variant }?.entry.stored
        let current = seen.flatMap { store.ownEntry(for: $0.key, variant)?.stored }
        return StoredPlace(seen: seen, current: current).isUnchanged
    }

    /// The entry to be stored for a response.
    private enum Proposal {
        case entry(CacheEntry)
        /// No entry remains to be stored; the value is whether the response is stored.
        case settled(Bool)
    }

    private func proposal(
        _ pending: PendingResponse,
        _ body: StoredBody,
        in store: any ResponseStore
    ) -> Proposal {
        guard accepts(pending, in: store) else { return .settled(false) }
        guard let entry = entry(pending, body) else { return .settled(false) }
        guard let parts = entry.stored.parts else { return .entry(entry) }
        guard parts.count == entry.body.count else { return .settled(false) }
        switch joined(entry, of: pending, in: store) {
        // The stored response stays if both together are too large.
        case .entry(let joined): return store.admits(joined) ? .entry(joined) : .settled(false)
        case .metadata(let stored, let seen): return .settled(store.freshen(stored, seen: seen))
        case .nothing: return .settled(false)
        }
    }

    private func put(_ entry: CacheEntry, _ pending: PendingResponse, in store: any ResponseStore) -> Bool {
        guard entry.storagePolicy != .notAllowed else { return false }
        var entry = entry
        stamp(&entry)
        switch store.put(entry, watchedBy: pending.watch) {
        case .stored: break
        case .refused(let refusal):
            if case .failed(let error) = refusal { report(error, storing: entry.stored) }
            return false
        }
        searches.note(entry.stored)
        if !uncollapsible.isEmpty, configuration.engine.isReusableWithoutValidation(entry.stored, now: now) {
            uncollapsible.remove(entry.stored.key)
        }
        return true
    }

    /// Reports to the operator a response that could not be written.
    func report(_ error: StorageError, storing stored: StoredResponse) {
        report([StorageDamage(subject: stored.key.targetURI, reason: "could not be stored: \(error.reason)")])
    }

    /// Whether the response may be stored, rather than come too late.
    private func accepts(_ pending: PendingResponse, in store: any ResponseStore) -> Bool {
        guard pending.watch?.isChanged == true else { return true }
        let stored = pending.stored
        return pending.place(with: store.ownEntry(for: stored.key, stored.variant)?.stored)
            .accepts(stored, isPart: stored.parts != nil || pending.ranges != nil)
    }

    /// Watches the changes of the key while a response for it is pending.
    func watch(_ transaction: Transaction, _ lookup: PlannedLookup) -> KeyWatch? {
        guard let store else { return nil }
        // A HEAD stores nothing but the alias that its 304 makes of a stored response.
        let isStorable =
            [.get, .head, .post].contains(transaction.request.method) || lookup.planned.key.isOfContent
        return isStorable ? store.watch(lookup.planned.key) : nil
    }
}
