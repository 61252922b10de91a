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
    /// How often nothing had happened since the look before; what is given up for slow callers is so after seconds.
    private var quietLooks = 0
    private static let mostQuietLooks = 3

    /// Trims when callers have gone, and some times when nothing happens any more; to be called at intervals.
    mutating func look(at gateway: Gateway) {
        let (openNow, answered) = (gateway.openConnections, gateway.metrics.snapshot.requests)
        let gone = connections - openNow
        let isQuiet = answered == requests && gone == 0
        quietLooks = isQuiet ? min(quietLooks + 1, Self.mostQuietLooks + 1) : 0
        if gone >= Self.manyConnections || isQuiet && quietLooks <= Self.mostQuietLooks {
            cachecheck_trim_memory()
        }
        (connections, requests) = (openNow, answered)
    }
}
