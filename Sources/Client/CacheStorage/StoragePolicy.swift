/// Where an entry may be kept.
public enum StoragePolicy: String, Sendable, Hashable, CaseIterable {
    /// In memory and on disk.
    case allowed
    /// In memory, never on disk.
    case allowedInMemoryOnly
    /// Nowhere.
    case notAllowed
}

/// A value that a caller keeps with an entry.
public enum UserInfoValue: Sendable, Hashable {
    /// Text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number with fraction; moments are seconds since 1970-01-01T00:00:00Z.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
}

/// Which tier an entry was read from.
public enum StorageTier: String, Sendable, Hashable, CaseIterable {
    /// The memory tier.
    case memory
    /// The disk tier.
    case disk
}
