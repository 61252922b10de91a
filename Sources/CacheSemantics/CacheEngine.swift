public import HTTPTypes

/// The rules of RFC 9111 and its family as functions of values: configuration only, no state, no clock, no I/O.
public struct CacheEngine: Sendable {
    /// Whether the cache is private or shared; default private.
    public var kind: CacheKind
    /// Whether responses without explicit freshness get 10 % of the time since `Last-Modified` (§4.2.2); default on.
    public var usesHeuristicFreshness: Bool

    /// Creates an engine.
    public init(kind: CacheKind = .private, usesHeuristicFreshness: Bool = true) {
        self.kind = kind
        self.usesHeuristicFreshness = usesHeuristicFreshness
    }

    /// Returns the primary cache key of a request; `content` is the digest of its content where that counts.
    public func key(for request: HTTPRequest, content: String = "") -> CacheKey {
        CacheKey(targetURI: (request.scheme ?? "") + "://" + (request.authority ?? "") + (request.path ?? ""))
    }

    /// Decides what to do with a request before the network (RFC 9111 §4, §5.2.1).
    public func plan(
        _ request: HTTPRequest,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> Planned {
        Planned(
            plan: .forward(request),
            request: request,
            policy: policy,
            key: key(for: request),
            stored: stored,
            findings: [],
            forwardReason: .uriMiss
        )
    }

    /// Decides what the caller gets and what is stored, after the network (RFC 9111 §3, §4.3.3–4.3.5, §4.4).
    public func settle(_ planned: Planned, reply: OriginReply) -> Settlement {
        switch reply {
        case .response(let response, _, _): Settlement(answer: .origin(response), edits: [], findings: [])
        case .failure: Settlement(answer: .unanswered, edits: [], findings: [])
        }
    }
}
