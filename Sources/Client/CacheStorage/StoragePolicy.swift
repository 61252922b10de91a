/// The tiers in which an entry may be stored.
public enum StoragePolicy: String, Sendable, Hashable, CaseIterable {
    /// In memory and on disk.
    case allowed
    /// In memory, never on disk.
    case allowedInMemoryOnly
    /// In no tier.
    case notAllowed
}

/// A value that a caller stores with an entry.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UserInfoValue: Sendable, Hashable {
    /// Text.
    case text(String)
    /// An integer of 64 bits.
    case integer(Int64)
    /// A number with a fraction; times are seconds since 1970-01-01T00:00:00Z.
    case number(Double)
    /// A Boolean value.
    case boolean(Bool)
}

/// The tier from which an entry was read.
public enum StorageTier: String, Sendable, Hashable, CaseIterable {
    /// The memory tier.
    case memory
    /// The disk tier.
    case disk
}
