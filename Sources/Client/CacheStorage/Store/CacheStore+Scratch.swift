import Locks

/// Support for stores that are used briefly and must then be as good as new.
extension CacheStore {
    /// Sets whether entries are written only by `flush()`, by `close()`, or when too many wait.
    ///
    /// The default is false. Lookups find pending entries nevertheless.
    package func deferWrites(_ isDeferred: Bool) {
        state.withLock { $0.defersWrites = isDeferred }
        if !isDeferred { scheduleDrain() }
    }

    /// Forgets all pending entries, as if they had never been stored.
    ///
    /// Returns false and forgets nothing if the database may contain rows, if there is no disk tier, or if it has
    /// failed.
    package func forgetUnwritten() -> Bool {
        let forgotten = state.withLock { state -> (disk: DiskTier, files: [UInt64])? in
            guard let disk = state.disk, !state.mayHaveRows, !state.isDrainScheduled, state.trouble == nil,
                state.damage.isEmpty
            else { return nil }
            state.forgetAll(withBodies: true)
            state.hasLabels = false
            defer { state.chores = WriteBatch() }
            return (disk, state.chores.files)
        }
        guard let forgotten else { return false }
        for file in forgotten.files { forgotten.disk.paths.removeBody(file) }
        return true
    }
}
