package import CacheClient
package import CacheStorage

/// The parts of the built-in client that an extension can use.
package struct ClientParts: Sendable {
    /// The client's loop, whose tasks end before the clock moves.
    package let loop: ClientLoop
    /// The transport of the requests.
    package let transport: any Transport
    /// The HTTP cache, which `lookup` and `usage` inspect.
    package let store: CacheStore
    /// Whether the client may use the network, as the last `network` step specifies.
    package let networkAccess: NetworkAccess
}
