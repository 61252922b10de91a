import CacheSemantics
import CacheStorage

/// A request that has been forwarded to the origin, and its state while the head of the response is awaited.
struct OriginRequest: Sendable {
    let exchange: Exchange
    let lookup: PlannedLookup
    /// The leader of other requests that wait for the same response; `nil` if none may.
    var leader: FlightLeader?
    /// The changes of the key since it was sent.
    var watch: KeyWatch?
    /// When it was forwarded, on the client's clock.
    let started: Duration
    let sent: HTTPDate
    /// Whether the response to another request led to it.
    let isRetry: Bool
    /// Whether it was over before anything had to be awaited.
    var isFinished = false
}
