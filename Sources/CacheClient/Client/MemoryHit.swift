public import CacheSemantics
import CacheStorage
import HTTPTypes

/// A stored response that answers a request as it is.
public struct MemoryHit: Sendable {
    /// The stored response, with its age.
    public let reuse: Reuse
    /// Primary cache key.
    public let key: CacheKey
    /// Content, as the origin sent it.
    public let body: [UInt8]
    /// When it was found.
    public let moment: HTTPDate
    /// All that was stored under the key.
    let entries: [LocatedEntry]

    /// Whether the engine would decide the same again: it decides by these and by nothing else.
    func holds(for entries: [LocatedEntry], at moment: HTTPDate) -> Bool {
        moment == self.moment && entries.count == self.entries.count
            && zip(entries, self.entries).allSatisfy { $0.entry.stored.isIdentical(to: $1.entry.stored) }
    }
}

extension CachingClient {
    /// Returns what memory has for a GET request that may be answered with it as it stands; without suspending.
    ///
    /// `last` is what came of the very same request before. `nil` says only that `stream` or `fetch` has to be asked.
    public func hit(for request: ClientRequest, last: MemoryHit? = nil) -> MemoryHit? {
        let prepared = request.prepared
        let policy = request.policy ?? configuration.defaultPolicy
        guard let store, prepared.problem == nil, policy == .useProtocolCachePolicy,
            configuration.expirationInterval == nil
        else { return nil }
        let found = store.entries(for: prepared.key)
        guard !found.entries.isEmpty, found.damage.isEmpty else { return nil }
        let now = now
        if let last, last.holds(for: found.entries, at: now) { return last }
        let planned = configuration.engine.plan(
            prepared.request,
            key: prepared.key,
            policy: policy,
            stored: found.entries.map(\.entry.stored),
            now: now
        )
        let looked = Looked(planned: planned, entries: found.entries, damage: [])
        guard let (reuse, _, body) = contentFromStore(prepared, looked) else { return nil }
        return MemoryHit(reuse: reuse, key: prepared.key, body: body, moment: now, entries: found.entries)
    }
}
