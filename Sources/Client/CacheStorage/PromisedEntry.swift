/// An entry that is to be stored, and still to be made.
///
/// Who has to wait for an answer leaves it to the store to have the entry made, when there is time for it or when
/// somebody looks.
package protocol PromisedEntry: AnyObject, Sendable {
    /// Makes the entry; `nil` where nothing is to be stored.
    ///
    /// May be called on any thread and more than once; it must not use the store.
    func make() -> CacheEntry?
    /// What became of it; called once, under the store's lock, so that it must not use the store.
    func keep(isStored: Bool)
}

/// A promised entry with what the store knows of it.
struct Promise: Sendable {
    let entry: any PromisedEntry
    let digest: UInt64
    let storedAt: Double
}
