package import CacheSemantics

/// What a client asks of a store, so that something else can keep its responses.
///
/// What stands there in tests of the harness is a store with one defect around it. Every function means what the one
/// of `CacheStore` with its name means.
package protocol ResponseStore: AnyObject, Sendable {
    /// All variants stored under a key.
    func entries(for key: CacheKey) -> StoredEntries
    /// The variants stored under a key that a request may select, or more.
    func entries(for key: CacheKey, selectableBy selector: VariantSelector) -> StoredEntries
    /// Has findings told with the next lookup that can tell them.
    func tellLater(_ damage: [StorageDamage])
    /// Stores the entry of a response that was requested when a watch began; `nil` without a watch.
    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome
    /// Whether `put` would find a tier for an entry.
    func admits(_ entry: CacheEntry) -> Bool
    /// Replaces the metadata of what is stored.
    func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool
    /// The content that two incomplete responses have together.
    func joined(_ old: CacheEntry, _ new: CacheEntry) throws(StorageError) -> StoredBody?
    /// A place to collect content in.
    func spool(expectedSize: Int?) -> BodySpool
    /// What may answer for other queries than its own.
    var searchable: [StoredResponse] { get }
    /// Watches what happens to a key.
    func watch(_ key: CacheKey) -> KeyWatch

    /// Has all variants of a key validated before they are used again.
    @discardableResult
    func invalidate(_ key: CacheKey) -> ChangeOutcome
    /// Has what is in one of the groups of an origin validated before it is used again.
    @discardableResult
    func invalidate(groups: [String], of origin: String) -> ChangeOutcome
    /// Removes one variant.
    @discardableResult
    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome
    /// Removes all variants of a key.
    @discardableResult
    func remove(_ key: CacheKey) -> ChangeOutcome
    /// Removes what was stored later than a moment.
    @discardableResult
    func remove(storedSince wallSeconds: Double) -> ChangeOutcome
    /// Removes everything.
    @discardableResult
    func removeAll() -> ChangeOutcome
    /// Removes everything of an origin.
    @discardableResult
    func removeAll(of origin: String) -> ChangeOutcome

    /// Size that one response may have at most, in bytes.
    var largestEntry: Int { get }
    /// Bytes in the memory tier.
    var memoryUsage: Int { get }
    /// Bytes in the disk tier.
    var diskUsage: Int { get }
    /// Number of stored responses.
    var entryCount: Int { get }
    /// Changes the capacities that are not `nil`.
    func setCapacities(memory: Int?, disk: Int?)
    /// Writes what waits to be written.
    func flush()
    /// Writes what waits and closes the folder.
    func close()
}

extension CacheStore: ResponseStore {}

extension ResponseStore {
    package func put(_ entry: CacheEntry) -> PutOutcome { put(entry, watchedBy: nil) }

    package func entries(for key: CacheKey, selectableBy selector: VariantSelector) -> StoredEntries {
        entries(for: key)
    }

    /// A lookup for the caller itself: what is to be told waits for one that can tell it.
    package func ownEntries(for key: CacheKey) -> [LocatedEntry] {
        let found = entries(for: key)
        if !found.damage.isEmpty { tellLater(found.damage) }
        return found.entries
    }

    /// One variant of those.
    package func ownEntry(for key: CacheKey, _ variant: VariantKey) -> CacheEntry? {
        ownEntries(for: key).first { $0.entry.stored.variant == variant }?.entry
    }
}
