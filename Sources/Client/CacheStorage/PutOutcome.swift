/// What became of an entry that was to be stored.
public enum PutOutcome: Sendable, Hashable {
    /// It is in these tiers; never empty.
    ///
    /// The disk's part is written soon after, so that `.disk` is a promise: every lookup finds the entry from now on, but
    /// content of up to 64 KiB may turn out later not to fit into the file system. Then it is gone from the disk tier
    /// and stays in the memory tier where it was put there too; the next lookup, of whatever key, tells it in
    /// `StoredEntries.damage`, and `CacheStore.writeFailure` the cause. From then on each entry is written before it is
    /// answered for, and refused where that fails, until one could be written. `flush()` has it known at once.
    case stored(Set<StorageTier>)
    /// It is in none.
    case refused(PutRefusal)
}

/// Why an entry was not stored.
public enum PutRefusal: Sendable, Hashable {
    /// It is larger than one response may be.
    case tooLarge(size: Int, limit: Int)
    /// Its storage policy forbids it.
    case notAllowed
    /// The tiers that its policy allows are switched off, or the store is closed.
    case noTier
    /// Its key was removed after the response had been requested.
    case removed
    /// Writing failed, and there was no room for it in memory.
    case failed(StorageError)
}
