/// Where `CacheEngine.begin` and `CacheEngine.finish` keep stored responses: a dictionary, a table, a folder.
///
/// Five functions and one property. A store does not implement HTTP, and has these obligations:
///
/// - **Keys.** `(key, variant)` identifies a stored response; `put` replaces the one that has both. `CacheKey` and
///   `VariantKey` are compared as a whole, and written to disk as `targetURI`, `content` and `text`.
/// - **Races.** `begin` and `finish` each read and change the store without suspending, and are safe in an actor, or
///   under a lock that is held for the call. Between the two, while the request is sent, the store is free for other
///   requests; `changes` gives `finish` what they invalidated.
/// - **Partial content.** A response with `parts` has the bytes of these ranges only. The store keeps both together
///   and decides nothing: `finish` combines parts.
/// - **Room.** A store may drop any response at any time, except between the calls that `finish` makes.
public protocol EngineStore {
    /// Returns all stored responses of a key, in any order, and no others; may note that they have been used.
    mutating func responses(for key: CacheKey) -> [StoredContent]

    /// Returns all stored responses of an origin (`StoredResponse.origin`), in any order.
    ///
    /// Called only for unsafe requests and for responses with Clear-Site-Data, so it may take time in proportion to the
    /// store.
    func responses(of origin: String) -> [StoredContent]

    /// Stores a response, replacing the one with the same key and variant.
    ///
    /// If there is no room for it, the one with the same key and variant is removed nevertheless.
    mutating func put(_ response: StoredContent)

    /// Removes a stored response, if there is one.
    mutating func remove(_ key: CacheKey, _ variant: VariantKey)

    /// The recent invalidations; `StoreChanges()` in a new store.
    ///
    /// Needed in memory only: it concerns requests that are being sent.
    var changes: StoreChanges { get set }
}
