import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Returns the entries stored under a key, or else under another that differs only in what No-Vary-Search ignores.
    ///
    /// With a `selector`, only those that a request may select, if there are any. `isOther` is true for entries of
    /// another key.
    func stored(under key: CacheKey, by selector: VariantSelector?) -> (StoredEntries, isOther: Bool) {
        let own = entries(under: key, by: selector)
        if own.leavesOut, own.entries.isEmpty {
            let (all, isOther) = stored(under: key, by: nil)
            return (StoredEntries(entries: all.entries, damage: own.damage + all.damage), isOther)
        }
        guard own.entries.isEmpty, let store, let other = searches.equivalent(to: key, in: store) else {
            return (own, false)
        }
        let found = store.entries(for: other)
        let entries = found.entries.filter { $0.entry.stored.answers(key, by: configuration.engine) }
        if entries.isEmpty { searches.forget(other) }
        return (StoredEntries(entries: entries, damage: own.damage + found.damage), !entries.isEmpty)
    }

    private func entries(under key: CacheKey, by selector: VariantSelector?) -> StoredEntries {
        // Threads that hit at the same time would contend for the store's reference count.
        if let plainStore {
            return plainStore._withUnsafeGuaranteedRef { store in
                selector.map { store.entries(for: key, selectableBy: $0) } ?? store.entries(for: key)
            }
        }
        guard let store else { return StoredEntries() }
        return selector.map { store.entries(for: key, selectableBy: $0) } ?? store.entries(for: key)
    }

    /// Returns the plan with a finding that it is based on a response stored for another query.
    func noting(_ planned: Planned, _ key: CacheKey) -> Planned {
        guard let other = planned.stored.first else { return planned }
        let finding = Finding(.searchIgnored, held: true, "stored for \(other.key.targetURI)")
        var noted = planned
        (noted.key, noted.findings) = (key, [finding] + planned.findings)
        return noted
    }
}
