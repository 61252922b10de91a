import CacheGateway
import Cmalloc

/// Gives back to the system what the C library keeps of memory that was released.
///
/// It keeps what lies between pieces that are in use: without this, the memory of many slow callers at once.
struct MemoryTrimmer {
    /// That so many connections are gone is reason enough.
    private static let manyConnections = 16
    private var connections = 0
    private var requests = 0
    private var isTrimmed = true

    /// Trims when callers have gone, and once when nothing happens any more; to be called at intervals.
    mutating func look(at gateway: Gateway) {
        let (openNow, answered) = (gateway.openConnections, gateway.metrics.snapshot.requests)
        let gone = connections - openNow
        if answered != requests || gone != 0 { isTrimmed = false }
        let isQuiet = answered == requests && gone == 0
        if gone >= Self.manyConnections || isQuiet && !isTrimmed {
            cachecheck_trim_memory()
            isTrimmed = isQuiet
        }
        (connections, requests) = (openNow, answered)
    }
}
