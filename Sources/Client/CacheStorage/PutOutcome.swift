/// The outcome of storing an entry.
public enum PutOutcome: Sendable, Hashable {
    /// It is stored in these tiers; never empty.
    ///
    /// The disk's part is written soon after, so `.disk` is a promise: every lookup finds the entry from now on, but
    /// writing content of up to 64 KiB may fail later. The entry is then gone from the disk tier, and stays in the memory
    /// tier if it was stored there too. The next lookup, of any key, reports it in `StoredEntries.damage`, and
    /// `CacheStore.writeFailure` has the cause. From then on, each entry is written before `put` returns, and refused if
    /// that fails, until one could be written. So is an entry for the disk alone while the file system has less than
    /// 32 MiB left. `flush()` reveals a failure at once.
    case stored(Set<StorageTier>)
    /// It is in no tier.
    case refused(PutRefusal)
}

/// The reason why an entry was not stored.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PutRefusal: Sendable, Hashable {
    /// It exceeds the size limit of one response.
    case tooLarge(size: Int, limit: Int)
    /// Its storage policy forbids it.
    case notAllowed
    /// The tiers that its policy allows are switched off, or the store is closed.
    case noTier
    /// Its key was removed after the response had been requested.
    case removed
    /// Writing failed, and the memory tier had no room for it.
    case failed(StorageError)
}
