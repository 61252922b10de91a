/// A client that is not a working cache.
///
/// A scenario that such a client passes proves nothing about caches, unless its `passes-for` gives the reason.
package enum DegenerateClient: String, Sendable, Hashable, CaseIterable {
    /// Forwards every request and stores nothing.
    case neverStores = "never-stores"
    /// Stores every response and reuses it for every request for the same URL, without end.
    case servesForever = "serves-forever"
    /// Stores what may be stored, and reuses it only after validation.
    case alwaysValidates = "always-validates"
    /// Answers every request with 500 and never asks the origin.
    case responds500 = "responds-500"
}
