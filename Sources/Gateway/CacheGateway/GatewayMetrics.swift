import CacheClient
public import CacheSemantics
import Synchronization

/// The counts of a gateway's events since its start.
public final class GatewayMetrics: Sendable {
    /// The counts at one point in time.
    public struct Snapshot: Sendable, Hashable {
        /// Requests that were answered, or whose caller disconnected.
        public var requests = 0
        /// Requests answered from the store without contacting the origin.
        public var hits = 0
        /// Hits that were stale.
        public var stale = 0
        /// Requests answered from the store after validation by the origin.
        public var validations = 0
        /// Requests answered by the origin.
        public var misses = 0
        /// Requests answered with an error of the gateway's own, or whose response was cut off.
        public var errors = 0
        /// The size of the content that was sent to callers.
        public var contentSize = ByteCount.zero
        /// Requests that were sent again because a reused connection was closed without a response.
        public var resent = 0
    }
    private let hits = Atomic(0)
    private let stale = Atomic(0)
    private let validations = Atomic(0)
    private let misses = Atomic(0)
    private let errors = Atomic(0)
    private let bytes = Atomic(0)
    private let resent = Atomic(0)

    /// The current counts.
    public var snapshot: Snapshot {
        var now = Snapshot()
        now.hits = hits.load(ordering: .relaxed)
        now.stale = stale.load(ordering: .relaxed)
        now.validations = validations.load(ordering: .relaxed)
        now.misses = misses.load(ordering: .relaxed)
        now.errors = errors.load(ordering: .relaxed)
        now.contentSize = .bytes(bytes.load(ordering: .relaxed))
        now.resent = resent.load(ordering: .relaxed)
        now.requests = now.hits + now.validations + now.misses + now.errors
        return now
    }

    func countHit(isStale: Bool, bytes count: Int = 0) {
        hits.add(1, ordering: .relaxed)
        if count > 0 { bytes.add(count, ordering: .relaxed) }
        if isStale { stale.add(1, ordering: .relaxed) }
    }

    func count(_ source: ResponseSource, isStale: Bool) {
        switch source {
        case .memory, .disk: countHit(isStale: isStale)
        case .validated: validations.add(1, ordering: .relaxed)
        case .origin: misses.add(1, ordering: .relaxed)
        case .generated: countError()
        }
    }

    func countError() { errors.add(1, ordering: .relaxed) }

    func countResent() { resent.add(1, ordering: .relaxed) }

    func count(bytes count: Int) { bytes.add(count, ordering: .relaxed) }
}
