/// An entry that is to be stored and is created later.
///
/// It keeps the creation of the entry out of the path of a response. The store creates the entry when there is time,
/// or when a call needs it.
package protocol PromisedEntry: AnyObject, Sendable {
    /// Creates the entry; `nil` if nothing is to be stored.
    ///
    /// May be called on any thread and more than once; it must not use the store.
    func make() -> CacheEntry?
    /// Reports whether the entry was stored; called once, under the store's lock, so it must not use the store.
    func keep(isStored: Bool)
}

/// A promised entry with the digest of its key and the time of the promise.
struct Promise: Sendable {
    let entry: any PromisedEntry
    let digest: UInt64
    let storedAt: Double
}
