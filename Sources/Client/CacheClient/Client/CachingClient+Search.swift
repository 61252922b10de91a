import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Returns the entries of another key that answer a request by their No-Vary-Search; `nil` if those stored under its own
    /// key, `own`, are to be considered.
    func equivalents(of key: CacheKey, for request: HTTPRequest, beside own: StoredEntries) -> StoredEntries?
    {
        guard let store else { return nil }
        let others = searches.equivalents(of: key, in: store)
        let engine = configuration.engine
        guard !others.isEmpty, !engine.matches(request, among: own.entries.map(\.entry.stored)) else {
            return nil
        }
        var (entries, damage) = (own.entries, own.damage)
        for other in others {
            let found = store.entries(for: other)
            let answering = found.entries.filter { $0.entry.stored.answers(key, by: engine) }
            if answering.isEmpty { searches.forget(other) }
            entries += answering
            damage += found.damage
            report(found.damage)
        }
        let candidates = entries.map(\.entry.stored)
        let considered = engine.consideredKey(for: request, key, among: candidates)
        guard considered != key else { return nil }
        return StoredEntries(
            entries: entries.filter { $0.entry.stored.key == considered },
            damage: damage
        )
    }

    /// Returns the entries stored under a key; with a `selector`, only those that a request may select.
    func entries(under key: CacheKey, by selector: VariantSelector?) -> StoredEntries {
        let found = lookUp(key, by: selector)
        if !found.damage.isEmpty { report(found.damage) }
        return found
    }

    /// Reports damage to the operator.
    func report(_ damage: [StorageDamage]) {
        guard let report = configuration.onStorageDamage else { return }
        damage.forEach(report)
    }

    private func lookUp(_ key: CacheKey, by selector: VariantSelector?) -> StoredEntries {
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
    func noting(_ planned: PlannedRequest, _ key: CacheKey) -> PlannedRequest {
        guard let other = planned.stored.first else { return planned }
        let finding = Finding(.searchIgnored, held: true, "stored for \(other.key.targetURI)")
        var noted = planned
        (noted.key, noted.findings) = (key, [finding] + planned.findings)
        return noted
    }
}
