import CacheSemantics
import CacheStorage

/// A request that has been sent to the origin, and the state while its head is awaited.
struct Round: Sendable {
    let exchange: Exchange
    let lookup: PlannedLookup
    /// The leader of other requests that wait for the same response; `nil` if none may.
    var leader: FlightLeader?
    /// The changes of the key meanwhile.
    let watch: KeyWatch?
    /// The start of the round, on the client's clock.
    let started: Duration
    let sent: HTTPDate
    /// Whether the response to another request led to it.
    let isRetry: Bool
    /// Whether it was over before anything had to be awaited.
    var isOver = false
}
