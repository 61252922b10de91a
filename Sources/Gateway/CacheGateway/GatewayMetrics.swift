import CacheClient
import Synchronization

/// What a gateway has done, counted from its start.
public final class GatewayMetrics: Sendable {
    /// A moment's counts.
    public struct Snapshot: Sendable, Hashable {
        /// Requests that were answered, or whose caller went away.
        public var requests = 0
        /// Answered from the store without asking the origin.
        public var hits = 0
        /// Of the hits, those that were stale.
        public var stale = 0
        /// Answered from the store after the origin had confirmed it.
        public var validations = 0
        /// Answered by the origin.
        public var misses = 0
        /// Answered with an error of the gateway's own, or broken off.
        public var errors = 0
        /// Bytes of content sent to callers.
        public var bytes = 0
        /// Answered after the request was sent again, because a reused connection was closed unanswered.
        public var resent = 0
    }
    private let hits = Atomic(0)
    private let stale = Atomic(0)
    private let validations = Atomic(0)
    private let misses = Atomic(0)
    private let errors = Atomic(0)
    private let bytes = Atomic(0)
    private let resent = Atomic(0)

    /// The counts now.
    public var snapshot: Snapshot {
        var now = Snapshot()
        now.hits = hits.load(ordering: .relaxed)
        now.stale = stale.load(ordering: .relaxed)
        now.validations = validations.load(ordering: .relaxed)
        now.misses = misses.load(ordering: .relaxed)
        now.errors = errors.load(ordering: .relaxed)
        now.bytes = bytes.load(ordering: .relaxed)
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
        case .none: countError()
        }
    }

    func countError() { errors.add(1, ordering: .relaxed) }

    func countResent() { resent.add(1, ordering: .relaxed) }

    func count(bytes count: Int) { bytes.add(count, ordering: .relaxed) }
}
