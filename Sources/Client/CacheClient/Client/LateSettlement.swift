import CacheSemantics
import CacheStorage
import HTTPTypes
import Locks

/// The effect of a response on the store, computed after its caller has received it, or on demand.
final class LateSettlement: PromisedEntry, Sendable {
    /// The values from which it is computed.
    struct Inputs: Sendable {
        let engine: CacheEngine
        let head: HTTPResponse
        let version: HTTPVersion
        let sent: HTTPDate
        let received: HTTPDate
        let body: [UInt8]
        let watch: KeyWatch?
        let sharing: Sharing
    }
    private struct Outcome {
        /// The findings after the network.
        let findings: [Finding]
        let entry: CacheEntry?
    }
    private struct State {
        /// `nil` once the entry was stored or refused.
        var inputs: Inputs?
        /// The findings after the network; `nil` before it is computed.
        var findings: [Finding]?
        var ttl: Duration?
        var isStored: Bool?
    }
    private let state: Locked<State>
    /// The lookup and the plan from before the network was used.
    private let lookup: PlannedLookup
    /// The size of the content in bytes.
    private let size: Int
    private let store: CacheStore

    init(of lookup: PlannedLookup, _ inputs: consuming Inputs, in store: CacheStore) {
        size = inputs.body.count
        state = Locked(State(inputs: inputs))
        self.lookup = lookup
        self.store = store
    }

    /// Every rule that was consulted, before the network and after it.
    var findings: [Finding] {
        let (findings, inputs) = state.withLock { ($0.findings, $0.inputs) }
        return lookup.planned.findings + (findings ?? inputs.map(settle)?.findings ?? [])
    }

    /// Returns the cache's handling of the response, after storing it.
    func status(key: String, forwardStatus: Int) -> CacheStatus {
        store.keepPromises()
        var status = CacheStatus(key: key, forward: .uriMiss)
        status.forwardStatus = forwardStatus
        (status.isStored, status.ttl) = state.withLock { ($0.isStored ?? false, $0.ttl) }
        if status.isStored == false { status.note(size: size, limit: store.largestEntry) }
        return status
    }

    // MARK: The store's side

    func make() -> CacheEntry? {
        guard let inputs = state.withLock({ $0.inputs }) else { return nil }
        return settle(inputs).entry
    }

    func keep(isStored: Bool) {
        state.withLock { state in
            state.isStored = isStored
            state.inputs = nil
        }
    }

    private func settle(_ inputs: Inputs) -> Outcome {
        let reply = OriginReply.response(
            inputs.head,
            requestTime: inputs.sent,
            responseTime: inputs.received
        )
        let settlement = inputs.engine.settle(lookup.planned, reply: reply)
        var stored: StoredResponse?
        for case .put(let response) in settlement.edits { stored = response }
        let ttl = stored.map {
            Duration.seconds(inputs.engine.remainingFreshness(of: $0, now: inputs.received))
        }
        state.withLock { ($0.findings, $0.ttl) = (settlement.findings, ttl) }
        inputs.sharing.learn(from: stored, inputs.engine, now: inputs.received)
        return Outcome(findings: settlement.findings, entry: stored.flatMap { entry($0, inputs) })
    }

    /// Returns the entry to store; `nil` if the key, or everything of its origin, has been removed meanwhile.
    private func entry(_ stored: StoredResponse, _ inputs: Inputs) -> CacheEntry? {
        guard inputs.watch?.isCleared != true else { return nil }
        // An unsafe request may have invalidated it (RFC 9111 §4.4, RFC 9875).
        let isInvalidated = inputs.watch?.isInvalidated(for: stored) == true
        var entry = CacheEntry(stored: stored.invalidated(isInvalidated), body: .bytes(inputs.body))
        entry.version = inputs.version
        return entry
    }
}
