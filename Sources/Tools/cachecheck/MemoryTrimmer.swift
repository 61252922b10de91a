import CacheGateway
import Cmalloc

/// Returns freed memory that the C library keeps to the system.
///
/// The library keeps free memory between allocations in use, for example after many slow clients have left.
struct MemoryTrimmer {
    /// The number of closed connections that triggers trimming.
    private static let manyConnections = 16
    private var connections = 0
    private var requests = 0
    /// The number of successive checks without activity; memory held for slow clients is released after seconds.
    private var quietLooks = 0
    private static let maximumQuietChecks = 3

    /// Trims after clients have left, and a few times while idle; call it at intervals.
    mutating func look(at gateway: Gateway) {
        let (openNow, answered) = (gateway.openConnections, gateway.metrics.snapshot.requests)
        let gone = connections - openNow
        let isQuiet = answered == requests && gone == 0
        quietLooks = isQuiet ? min(quietLooks + 1, Self.maximumQuietChecks + 1) : 0
        if gone >= Self.manyConnections || isQuiet && quietLooks <= Self.maximumQuietChecks {
            cachecheck_trim_memory()
        }
        (connections, requests) = (openNow, answered)
    }
}
