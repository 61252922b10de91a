/// What became of an entry that was to be stored.
public enum PutOutcome: Sendable, Hashable {
    /// It is in these tiers; never empty.
    ///
    /// The disk's part is written soon after. Should that fail, the next lookup says so, and later entries are refused.
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
    /// Writing failed, and there was no room for it in memory.
    case failed(StorageError)
}
