public import CacheClient
public import CacheStorage

/// The parts of the built-in client that an extension can use.
public struct ClientParts: Sendable {
    /// The client's loop, whose tasks end before the clock moves.
    public let loop: ClientLoop
    /// The transport of the requests.
    public let transport: any Transport
    /// The HTTP cache, which `lookup` and `usage` inspect.
    public let store: CacheStore
}
