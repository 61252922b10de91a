import Locks

extension CacheStore {
    /// Returns whether `put` would find a tier for an entry, as far as its policy, its size and the capacities decide.
    public func admits(_ entry: CacheEntry) -> Bool {
        guard entry.storagePolicy != .notAllowed else { return false }
        let candidate = Candidate(entry, labelling)
        if case .open = state.withLock({ $0.room(for: candidate) }) { return true }
        return false
    }

    /// Returns whether content of a length, `nil` if it is unknown, could be stored, as far as the capacities and earlier
    /// failures to write show.
    package func mayStore(contentLength: Int?) -> Bool {
        let length = contentLength ?? 0
        let (fitsMemory, disk) = state.withLock { state -> (Bool, DiskTier?) in
            guard !state.isClosed, length <= state.largestEntry else { return (false, nil) }
            let fitsMemory = state.memoryCapacity > 0 && length <= state.memoryCapacity
            return (fitsMemory, state.diskCapacity > 0 && state.trouble == nil ? state.disk : nil)
        }
        return fitsMemory || disk.map { length + Self.rowBytes <= $0.paths.freeBytes } ?? false
    }

    /// The approximate size of an entry on disk, without its content.
    private static let rowBytes = 32 << 10
}
