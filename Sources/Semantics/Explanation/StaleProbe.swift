import CacheSemantics
import HTTPTypes

/// Determines through the engine how long a stored response may be used stale, so that explanations match it.
struct StaleProbe {
    let stored: StoredResponse
    let engine: CacheEngine
    /// A request that selects the stored response, without cache directives.
    let request: HTTPRequest

    init(_ stored: StoredResponse, _ engine: CacheEngine, like asked: HTTPRequest) {
        self.stored = stored
        self.engine = engine
        request = stored.plainRequest(like: asked, credentialsAreDigests: engine.keyHasCredentials)
    }

    /// Longer than the largest age (§1.2.2).
    private static let farStaleness: Int64 = 1 << 32

    /// Returns the maximum staleness in seconds at which the response may be used; `nil` without limit.
    ///
    /// Negative if it may not be used stale. Relies on use being allowed at every earlier time, too.
    func limit(of use: StaleUse) -> Int64? {
        if allows(use, staleness: Self.farStaleness) { return nil }
        var (allowed, refused) = (firstStaleness - 1, Self.farStaleness)
        guard allows(use, staleness: firstStaleness) else { return -1 }
        while refused - allowed > 1 {
            let middle = allowed + (refused - allowed) / 2
            if allows(use, staleness: middle) { allowed = middle } else { refused = middle }
        }
        return allowed
    }

    /// The smallest possible staleness: on arrival, or at the end of its lifetime.
    private var firstStaleness: Int64 {
        max(0, -engine.remainingFreshness(of: stored, now: stored.responseTime))
    }

    /// Returns when the response has been stale for `seconds` seconds.
    func moment(ofStaleness seconds: Int64) -> HTTPDate {
        let left = engine.remainingFreshness(of: stored, now: stored.responseTime)
        return stored.responseTime.advanced(by: left + seconds)
    }

    private func allows(_ use: StaleUse, staleness: Int64) -> Bool {
        let now = moment(ofStaleness: staleness)
        switch use {
        case .whileValidated: return isServed(request, now)
        case .forMaxStale:
            var accepting = request
            accepting.headerFields[.cacheControl] = "max-stale"
            return isServed(accepting, now)
        case .insteadOfError:
            let error = HTTPResponse(status: .serviceUnavailable)
            return isStoredAnswer(.response(error, requestTime: now, responseTime: now), now)
        case .unreachable: return isStoredAnswer(.failure(requestTime: now, responseTime: now), now)
        }
    }

    private func isServed(_ request: HTTPRequest, _ now: HTTPDate) -> Bool {
        if case .serve = plan(request, now).plan { true } else { false }
    }

    private func isStoredAnswer(_ reply: OriginReply, _ now: HTTPDate) -> Bool {
        if case .stored = engine.settle(plan(request, now), reply: reply).answer { true } else { false }
    }

    private func plan(_ request: HTTPRequest, _ now: HTTPDate) -> PlannedRequest {
        engine.plan(
            request,
            key: stored.key,
            policy: .useProtocolCachePolicy,
            stored: [stored],
            now: now
        )
    }
}

extension StoredResponse {
    /// Returns a plain request that selects this stored response.
    ///
    /// It is `request` without preconditions and directives, with the stored values of the fields that `Vary` nominates;
    /// fields that are stored as digests are unchanged.
    func plainRequest(like request: HTTPRequest, credentialsAreDigests: Bool) -> HTTPRequest {
        var plain = request
        var removed: [HTTPField.Name] = [
            .cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifUnmodifiedSince,
        ]
        removed += [HTTPField.Name("Pragma")].compactMap(\.self)
        if plain.method != method { removed += [.contentLength, .contentType] }
        if parts == nil { removed += [.range, .ifRange] }
        plain.method = method
        for name in removed { plain.headerFields[name] = nil }
        guard !credentialsAreDigests else { return plain }
        for name in vary.names { plain.headerFields[fields: name] = selectingFields[fields: name] }
        return plain
    }
}
