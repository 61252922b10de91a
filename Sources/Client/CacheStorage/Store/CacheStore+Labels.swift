public import CacheSemantics
import Locks

extension CacheStore {
    /// The stored responses that may answer queries other than their own (No-Vary-Search).
    ///
    /// Accesses no file if no entry with labels has ever been stored.
    public var searchable: [StoredResponse] {
        guard state.withLock({ $0.hasLabels }) else { return [] }
        let onDisk = fromDisk { try $0.responses(labelled: StoreLabel.searches) } ?? []
        return state.withLock { onDisk + $0.responsesInMemory { $0.noVarySearch != nil } }
    }

    /// Queries the disk tier after all pending data has been written.
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
    /// Returns the stored responses of the memory tier that satisfy `isMeant`.
    fileprivate func responsesInMemory(_ isMeant: (StoredResponse) -> Bool) -> [StoredResponse] {
        memory.digests.flatMap { digest -> [StoredResponse] in
            guard let number = memory.group(digest: digest) else { return [] }
            return memory[group: number].entries.map(\.entry.stored).filter(isMeant)
        }
    }
}
