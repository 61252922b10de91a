public import CacheSemantics

/// The interface through which a client uses a store, so that the store can be replaced.
///
/// An application's own rules for reading and writing are a `ResponseStoreDecorator` around a `CacheStore`. Every function
/// has the meaning of the function of `CacheStore` with the same name; all are called concurrently, from any thread.
public protocol ResponseStore: AnyObject, Sendable {
    /// Returns all variants stored under a key.
    func entries(for key: CacheKey) -> StoredEntries
    /// Returns the variants stored under a key that a request may select, possibly with others.
    func entries(for key: CacheKey, selectableBy selector: VariantSelector) -> StoredEntries
    /// Reports findings with the next lookup that can report them.
    func reportLater(_ damage: [StorageDamage])
    /// Stores the entry of a response that was requested when `watch` started; `nil` without a watch.
    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome
    /// Returns whether `put` would find a tier for an entry.
    func admits(_ entry: CacheEntry) -> Bool
    /// Replaces the metadata of a stored response.
    func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool
    /// Returns the combined content of two incomplete responses.
    func joined(_ old: CacheEntry, _ new: CacheEntry) throws(StorageError) -> StoredBody?
    /// Returns a spool for collecting content.
    func spool(expectedSize: ByteCount?) -> BodySpool
    /// The stored responses that may answer queries other than their own.
    var searchable: [StoredResponse] { get }
    /// Watches the changes of a key.
    func watch(_ key: CacheKey) -> KeyWatch

    /// Marks all variants of a key as requiring validation before reuse.
    @discardableResult
    func invalidate(_ key: CacheKey) -> ChangeOutcome
    /// Marks the responses in any of these groups of an origin as requiring validation before reuse.
    @discardableResult
    func invalidate(groups: [String], of origin: String) -> ChangeOutcome
    /// Removes one variant.
    @discardableResult
    func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome
    /// Removes all variants of a key.
    @discardableResult
    func remove(_ key: CacheKey) -> ChangeOutcome
    /// Removes the entries stored later than a given time.
    @discardableResult
    func remove(storedSince timeSinceEpoch: Duration) -> ChangeOutcome
    /// Removes everything.
    @discardableResult
    func removeAll() -> ChangeOutcome
    /// Removes all stored responses of an origin.
    @discardableResult
    func removeAll(of origin: String) -> ChangeOutcome

    /// The largest size of one response, in bytes.
    var largestEntry: Int { get }
    /// Bytes in the memory tier.
    var memoryUsage: ByteCount { get }
    /// Bytes in the disk tier.
    var diskUsage: ByteCount { get }
    /// Number of stored responses.
    var entryCount: Int { get }
    /// The reason why the last attempt to write to the disk tier failed; `nil` if it succeeded, or if there is no such tier.
    var writeFailure: StorageError? { get }
    /// Changes the capacities that are not `nil`.
    func setCapacities(memory: ByteCount?, disk: ByteCount?)
    /// Writes all pending data.
    func flush()
    /// Writes all pending data and closes the folder.
    func close()
}

extension CacheStore: ResponseStore {}

extension ResponseStore {
    /// `nil`: the store has no disk tier.
    public var writeFailure: StorageError? { nil }

    package func put(_ entry: CacheEntry) -> PutOutcome { put(entry, watchedBy: nil) }

    /// Returns all variants stored under the key.
    public func entries(for key: CacheKey, selectableBy selector: VariantSelector) -> StoredEntries {
        entries(for: key)
    }

    /// Looks up a key for the caller's own use; findings wait for a lookup that can report them.
    package func ownEntries(for key: CacheKey) -> [LocatedEntry] {
        let found = entries(for: key)
        if !found.damage.isEmpty { reportLater(found.damage) }
        return found.entries
    }

    /// Returns one variant found by such a lookup.
    package func ownEntry(for key: CacheKey, _ variant: VariantKey) -> CacheEntry? {
        ownEntries(for: key).first { $0.entry.stored.variant == variant }?.entry
    }
}
