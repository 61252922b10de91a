import CacheSemantics
import CacheStorage

/// A request that has gone to the origin, and what is known while its head is waited for.
struct Round: Sendable {
    let exchange: Exchange
    let looked: PlannedLookup
    /// Others that wait for the same; `nil` where nobody may.
    var departure: FlightLeader?
    /// What happens to the key meanwhile.
    let watch: KeyWatch?
    /// When it began, on the client's clock.
    let started: Duration
    let sent: HTTPDate
    /// Whether the answer to another request led to it.
    let isRetry: Bool
    /// Whether it was over before there was anything to wait for.
    var isOver = false
}
