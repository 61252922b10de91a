public import CacheSemantics
public import CacheStorage
import Clocks
public import HTTPTypes

extension CachingClient {
    /// The name in an entry's user info under which a cache with its own expiry records the time of storing.
    public static let expirationStampName = "CustomURLCacheExpiration"

    /// Returns the response stored for a request, fresh or not, without network traffic; `nil` also for a part of it.
    public func cachedResponse(for request: ClientRequest) -> CacheEntry? {
        guard let transaction = try? Transaction(request, configuration) else { return nil }
        var cacheOnly = transaction
        cacheOnly.policy = .returnCacheDataDontLoad
        let lookup = look(cacheOnly)
        guard case .serve(let reuse) = lookup.planned.plan, reuse.stored.parts == nil else { return nil }
        var entry = lookup.content(of: reuse.stored)?.entry
        entry?.stored = reuse.stored
        return entry
    }

    /// Stores an entry for a request, regardless of the protocol's rules; false if the store refuses it.
    ///
    /// It may be as large as the store's capacity; the smaller limit is for responses that are stored automatically. A
    /// response with no-store is found by `cachedResponse(for:)` and the two policies that return cached data, but answers
    /// no request under the others (RFC 9111 §5.2.2.5).
    @discardableResult
    public func store(_ entry: CacheEntry, for request: ClientRequest) -> Bool {
        guard let store, let transaction = try? Transaction(request, configuration),
            entry.storagePolicy != .notAllowed
        else {
            return false
        }
        let stored = entry.stored
        let key = transaction.key(configuration.engine)
        // Nothing is looked up for a GET with content.
        guard !key.isUncacheable else { return false }
        var entry = entry
        entry.stored = StoredResponse(
            key: key,
            variant: stored.variant,
            method: stored.method,
            selectingFields: stored.selectingFields,
            response: stored.response,
            requestTime: stored.requestTime,
            responseTime: stored.responseTime,
            parts: stored.parts
        )
        entry.isStoredExplicitly = true
        stamp(&entry)
        if case .stored = store.put(entry) { return true }
        return false
    }

    /// Stores a response for a request, as if it had just been received.
    @discardableResult
    public func store(
        _ response: HTTPResponse,
        body: [UInt8],
        userInfo: [String: UserInfoValue] = [:],
        storagePolicy: StoragePolicy = .allowed,
        for request: ClientRequest
    ) -> Bool {
        guard let transaction = try? Transaction(request, configuration) else { return false }
        let stored = storable(response, for: transaction)
        let entry = CacheEntry(
            stored: stored,
            body: .bytes(body),
            userInfo: userInfo,
            storagePolicy: storagePolicy
        )
        return store(entry, for: request)
    }

    /// Removes every stored response of a request's URL.
    @discardableResult
    public func removeCachedResponse(for request: ClientRequest) -> ChangeOutcome {
        guard let store, let transaction = try? Transaction(request, configuration) else {
            return .done(keys: 0)
        }
        return store.remove(transaction.key(configuration.engine))
    }

    /// Removes all stored responses.
    @discardableResult
    public func removeAllCachedResponses() -> ChangeOutcome { store?.removeAll() ?? .done(keys: 0) }

    /// Removes the responses stored later than a time.
    @discardableResult
    public func removeCachedResponses(since date: HTTPDate) -> ChangeOutcome {
        removeCachedResponses(since: Double(date.secondsSinceEpoch))
    }

    /// Removes the responses stored later than `wallSeconds`, in seconds since 1970-01-01T00:00:00Z.
    @discardableResult
    package func removeCachedResponses(since wallSeconds: Double) -> ChangeOutcome {
        store?.remove(storedSince: .saturating(seconds: wallSeconds)) ?? .done(keys: 0)
    }

    /// Records the time of storing in the entry, if the cache has its own expiry.
    func stamp(_ entry: inout CacheEntry) {
        guard configuration.expirationInterval != nil else { return }
        entry.userInfo[Self.expirationStampName] = .number(clock.wallSeconds)
    }

    /// Whether the cache's own expiry has passed; true for an entry without a stamp.
    func isExpired(_ entry: CacheEntry, after interval: Duration) -> Bool {
        guard case .number(let stamp) = entry.userInfo[Self.expirationStampName] else { return true }
        return stamp + interval.seconds < clock.wallSeconds
    }

    /// Returns the response as the engine would store it, or the bare response if the engine would not: the rules do not
    /// apply to entries stored explicitly.
    private func storable(_ response: HTTPResponse, for transaction: Transaction) -> StoredResponse {
        let engine = configuration.engine
        let now = self.now
        let planned = engine.plan(transaction.request, policy: transaction.policy, stored: [], now: now)
        let reply = OriginReply.response(response, requestTime: now, responseTime: now)
        for case .put(let stored) in engine.settle(planned, reply: reply).edits { return stored }
        return StoredResponse(
            key: planned.key,
            variant: VariantKey(),
            method: transaction.request.method,
            selectingFields: [:],
            response: response,
            requestTime: now,
            responseTime: now
        )
    }
}
