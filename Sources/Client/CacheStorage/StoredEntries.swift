/// What the store holds under one key.
public struct StoredEntries: Sendable {
    /// The variants, in no particular order.
    public let entries: [LocatedEntry]
    /// What was found damaged on the way, and removed; or could not be read, and is still stored.
    public let damage: [StorageDamage]
    /// Whether variants are left out that the request of the lookup cannot select.
    public let leavesOut: Bool

    /// Creates the answer to a lookup.
    public init(entries: [LocatedEntry] = [], damage: [StorageDamage] = [], leavesOut: Bool = false) {
        self.entries = entries
        self.damage = damage
        self.leavesOut = leavesOut
    }

    init(_ found: FoundVariants, damage: [StorageDamage] = []) {
        self.init(entries: found.entries, damage: damage, leavesOut: found.leavesOut)
    }
}

/// An entry and the tier it was read from.
public struct LocatedEntry: Sendable {
    /// The entry.
    public let entry: CacheEntry
    /// Where it was found.
    public let tier: StorageTier

    /// Creates a located entry.
    public init(entry: CacheEntry, tier: StorageTier) {
        self.entry = entry
        self.tier = tier
    }
}

/// Something in the store's folder that was not as it had been written, or could not be read.
///
/// What is damaged counts as absent and is removed or set aside. What cannot be read stays, to be read later.
public struct StorageDamage: Sendable, Hashable, CustomStringConvertible {
    /// What was damaged: the URI of an entry, or a file.
    public let subject: String
    /// What was wrong with it.
    public let reason: String

    /// Creates a finding.
    public init(subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    /// One line that names both.
    public var description: String { "\(subject): \(reason)" }
}
