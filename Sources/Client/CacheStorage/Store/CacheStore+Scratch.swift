import Locks

/// For stores that are used for a moment and then have to be as good as new.
extension CacheStore {
    /// Whether what is stored is written only by `flush()`, by `close()`, or with more than should wait.
    ///
    /// Default false. Lookups find what waits all the same.
    package func deferWrites(_ isDeferred: Bool) {
        state.withLock { $0.defersWrites = isDeferred }
        if !isDeferred { scheduleDrain() }
    }

    /// Forgets everything that waits, as if it had never been stored.
    ///
    /// False, and nothing is forgotten, where the database may hold anything; and where there is no disk tier, or it has
    /// failed.
    package func forgetUnwritten() -> Bool {
        let forgotten = state.withLock { state -> (disk: DiskTier, files: [UInt64])? in
            guard let disk = state.disk, !state.mayHaveRows, !state.isDrainScheduled, state.trouble == nil,
                state.damage.isEmpty
            else { return nil }
            state.forgetAll(withBodies: true)
            defer { state.chores = WriteBatch() }
            return (disk, state.chores.files)
        }
        guard let forgotten else { return false }
        for file in forgotten.files { forgotten.disk.paths.removeBody(file) }
        return true
    }
}
