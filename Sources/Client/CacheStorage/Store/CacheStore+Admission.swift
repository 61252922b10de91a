import Locks

extension CacheStore {
    /// Returns whether `put` would find a tier for an entry, as far as its policy, its size and the capacities decide.
    public func admits(_ entry: CacheEntry) -> Bool {
        guard entry.storagePolicy != .notAllowed else { return false }
        let candidate = Candidate(entry, labelling)
        if case .open = state.withLock({ $0.room(for: candidate) }) { return true }
        return false
    }
}
