public import HTTPTypes

/// The rules of RFC 9111 and its family as functions of values: configuration only, no state, no clock, no I/O.
public struct CacheEngine: Sendable {
    /// Whether the cache is private or shared; default private.
    public var kind: CacheKind
    /// Whether responses without explicit freshness get 10 % of the time since `Last-Modified` (§4.2.2); default on.
    public var usesHeuristicFreshness: Bool
    /// The longest heuristic freshness lifetime in whole seconds (§4.2.2); default a day.
    public var heuristicLimit: Duration {
        get { .seconds(heuristicLimitSeconds) }
        set { heuristicLimitSeconds = Self.wholeSeconds(newValue) }
    }
    /// The longest heuristic freshness lifetime of a response with a status code of 400 or above, in whole seconds; default
    /// five minutes.
    ///
    /// Limits denial of service: otherwise one provoked error could hide a resource for as long as it has been unchanged.
    public var heuristicErrorLimit: Duration {
        get { .seconds(heuristicErrorLimitSeconds) }
        set { heuristicErrorLimitSeconds = Self.wholeSeconds(newValue) }
    }
    /// Returns whole seconds; the nearest number if that is beyond all, where `components` traps.
    private static func wholeSeconds(_ duration: Duration) -> Int64 {
        min(max(duration, .seconds(Int64.min)), .seconds(Int64.max)).components.seconds
    }
    var heuristicLimitSeconds: Int64 = 86_400
    var heuristicErrorLimitSeconds: Int64 = 300
    /// Whether incomplete responses are stored (§3.3); default true.
    public var keepsPartialContent: Bool
    /// The enabled deviations from the RFCs; default none.
    public var deviations: Deviations
    /// Rarely used settings; `nil` if all have their defaults.
    var options: SharedOptions?
    /// Whether the cache serves several users, as a gateway does: responses to requests with Authorization are then
    /// stored as in a shared cache (§3.5), regardless of `kind`; default false.
    public var servesSeveralUsers = false
    /// Whether a stale response is used when the origin cannot be reached (§4.2.4); default true.
    ///
    /// Otherwise only if the request or the response permits it, by `max-stale` or `stale-if-error` (RFC 5861 §4); without a
    /// permission there is no response.
    public var usesStaleWhenDisconnected = true

    /// Creates an engine.
    public init(
        kind: CacheKind = .private,
        usesHeuristicFreshness: Bool = true,
        keepsPartialContent: Bool = true,
        deviations: Deviations = []
    ) {
        self.kind = kind
        self.usesHeuristicFreshness = usesHeuristicFreshness
        self.keepsPartialContent = keepsPartialContent
        self.deviations = deviations
    }

    /// Decides what to do with a request before the network (RFC 9111 §4, §5.2.1).
    ///
    /// `stored` are the stored responses of the request's primary key, in any order, and no others. `content` is what
    /// `key(for:content:)` takes: `ContentDigest.text` for QUERY, `ContentDigest.uncacheable` for GET or HEAD with content.
    public func plan(
        _ request: HTTPRequest,
        content: String = "",
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest {
        let key = key(for: request, content: content, orOf: stored.first)
        return plan(request, key: key, policy: policy, stored: stored, now: now)
    }

    /// Decides for a request whose primary key is already known.
    package func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest {
        let metadata = RequestMetadata(request.headerFields)
        let stored = stored.withContentOfAliases
        // Fast path: a plain GET request of which nothing is stored is always forwarded.
        if stored.isEmpty, policy == .useProtocolCachePolicy, request.method == .get, metadata.isPlain,
            !key.isUncacheable
        {
            return PlannedRequest(missing: key, by: request)
        }
        var planning = Planning(
            engine: self,
            request: request,
            metadata: metadata,
            policy: policy,
            stored: stored,
            now: now
        )
        planning.isKeyedByContent = key.isOfContent
        planning.isUncacheable = key.isUncacheable && request.method.safety == .safe
        planning.hasUnkeyedFields = key.isOfUnkeyedFields
        let decision = planning.decide()
        return PlannedRequest(decision, by: planning, key: key)
    }

    /// Decides what the caller gets and what is stored, after the network (RFC 9111 §3, §4.3.3–4.3.5, §4.4).
    ///
    /// A plan to serve with a revalidation is settled with the response to the revalidation.
    public func settle(_ planned: PlannedRequest, reply: OriginReply) -> Settlement {
        let (sent, received) = reply.times
        var settling = Settling(engine: self, planned: planned, sent: sent, received: received)
        return switch reply {
        case .response(let response, _, _): settling.settle(response)
        case .failure: settling.settleFailure()
        case .unanswered: settling.settleUnanswered()
        case .rejected: settling.settleInvalid()
        }
    }

    /// Returns the plan of a request that is sent again, as `CallerOutcome.retry` demands.
    public func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest {
        var retried = planned
        retried.plan = .forward(request)
        return retried
    }
}
