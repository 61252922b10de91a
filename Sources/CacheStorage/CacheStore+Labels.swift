package import CacheSemantics
import Locks

extension CacheStore {
    /// Has what is stored in one of the groups of an origin validated before it is used again (RFC 9875); on disk
    /// when it returns.
    ///
    /// The other variants of the keys that are found are validated too, and so is what is on its way from the origin and
    /// turns out to be in one of them.
    public func invalidate(groups: [String], of origin: String) {
        let labels = groups.map { StoreLabel.group($0, of: origin) }
        watches.note(groups: labels) { StoredResponse.origin(of: $0.targetURI) == origin }
        invalidate(labels: labels)
    }

    /// Removes everything of an origin, scheme and authority, from both tiers; on disk when it returns.
    ///
    /// Reads no entry, apart from those that an earlier version has stored. What is on its way from the origin shall not be stored.
    public func removeAll(of origin: String) {
        watches.note(isCleared: true) { StoredResponse.origin(of: $0.targetURI) == origin }
        let hasUnknown = state.withLock { $0.index.contains { $0.origin == 0 } }
        let unknown = hasUnknown ? fromDisk { try $0.variants(of: origin) } ?? [] : []
        change { state in
            let isKnown = state.remove(ofOrigin: StoreState.digest(origin: origin))
            let inMemory = state.variantsInMemory { $0.origin == origin }
            return (unknown + inMemory).reduce(isKnown) {
                state.removeAndTell(digest: $1.digest, variant: $1.variant) || $0
            }
        }
    }

    /// The stored responses that may answer for other queries than their own (No-Vary-Search).
    ///
    /// Touches no file where none was ever stored.
    package var searchable: [StoredResponse] {
        guard state.withLock({ $0.hasLabels }) else { return [] }
        let onDisk = fromDisk { try $0.responses(labelled: StoreLabel.searches) } ?? []
        return state.withLock { onDisk + $0.responsesInMemory { $0.noVarySearch != nil } }
    }

    /// Has what has one of the labels validated before it is used again.
    func invalidate(labels: [UInt64]) {
        let digests = digests(labelled: labels)
        guard !digests.isEmpty else { return }
        change { state in digests.reduce(false) { state.invalidate(digest: $1) || $0 } }
    }

    /// The digests of the keys of what has one of the labels, in both tiers; touches no file where nothing ever had any.
    func digests(labelled labels: [UInt64]) -> Set<UInt64> {
        catchUpIfBehind()
        guard state.withLock({ $0.hasLabels }) else { return [] }
        let onDisk = fromDisk { try $0.digests(labelled: labels) } ?? []
        return state.withLock { onDisk.union($0.memory.digests(labelled: labels)) }
    }

    /// Asks the disk tier, once everything that waits has been written.
    private func fromDisk<Result>(_ ask: (DiskTier) throws -> Result) -> Result? {
        guard let disk = state.withLock({ $0.disk }) else { return nil }
        drainNow(disk)
        do {
            return try ask(disk)
        } catch {
            handle(error, disk, operation: "read")
            return nil
        }
    }
}

extension StoreState {
    /// The stored responses of the memory tier that `isMeant`.
    func responsesInMemory(_ isMeant: (StoredResponse) -> Bool) -> [StoredResponse] {
        memory.digests.flatMap { digest -> [StoredResponse] in
            guard let number = memory.group(digest: digest) else { return [] }
            return memory[group: number].entries.map(\.entry.stored).filter(isMeant)
        }
    }

    /// Which the stored responses of the memory tier are that `isMeant`.
    func variantsInMemory(_ isMeant: (StoredResponse) -> Bool) -> [(digest: UInt64, variant: VariantKey)] {
        memory.digests.flatMap { digest -> [(digest: UInt64, variant: VariantKey)] in
            guard let number = memory.group(digest: digest) else { return [] }
            return memory[group: number].entries.filter { isMeant($0.entry.stored) }
                .map { (digest, $0.entry.stored.variant) }
        }
    }
}
