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
        return state.withLock { state in
            let fitsMemory = state.memoryCapacity > 0 && length <= state.memoryCapacity
            let fitsDisk = state.disk != nil && state.diskCapacity > 0 && state.trouble == nil
            return !state.isClosed && length <= state.largestEntry && (fitsMemory || fitsDisk)
        }
    }
}
