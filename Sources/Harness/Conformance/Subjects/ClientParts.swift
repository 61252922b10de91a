public import CacheClient
public import CacheStorage

/// Parts of the built-in client, on which an extension can build.
public struct ClientParts: Sendable {
    /// The client's loop, whose tasks are waited for before the clock moves.
    public let loop: ClientLoop
    /// What carries the requests.
    public let transport: any Transport
    /// The HTTP cache, the one that `lookup` and `usage` look into.
    public let store: CacheStore
}
