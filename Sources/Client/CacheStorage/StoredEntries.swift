/// The result of looking up one key.
public struct StoredEntries: Sendable {
    /// The variants, in no particular order.
    public let entries: [LocatedEntry]
    /// Data that the lookup found damaged and removed, or could not read and left in the store.
    public let damage: [StorageDamage]
    /// Whether variants that the request of the lookup cannot select were left out.
    public let leavesOut: Bool

    /// Creates the result of a lookup.
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
    /// The entry with its metadata and content.
    public let entry: CacheEntry
    /// The tier in which it was found.
    public let tier: StorageTier

    /// Creates a located entry.
    public init(entry: CacheEntry, tier: StorageTier) {
        self.entry = entry
        self.tier = tier
    }
}

/// Data in the store's folder that differed from what was written, or could not be read.
///
/// Damaged data counts as absent and is removed or set aside. Data that cannot be read stays, to be read later.
public struct StorageDamage: Sendable, Hashable, CustomStringConvertible {
    /// The damaged object: the URI of an entry, or a file.
    public let subject: String
    /// A description of the damage.
    public let reason: String

    /// Creates a finding.
    public init(subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    /// One line with subject and reason.
    public var description: String { "\(subject): \(reason)" }
}
