public import HTTPTypes

/// The rules of RFC 9111 and its family as functions of values: configuration only, no state, no clock, no I/O.
public struct CacheEngine: Sendable {
    /// Whether the cache is private or shared; default private.
    public var kind: CacheKind
    /// Whether responses without explicit freshness get 10 % of the time since `Last-Modified` (§4.2.2); default on.
    public var usesHeuristicFreshness: Bool
    /// The longest heuristic freshness lifetime in seconds (§4.2.2); default 86,400, a day.
    public var heuristicLimit: Int64 = 86_400
    /// The longest heuristic freshness lifetime of a response with a status code of 400 or above, in seconds; default 300.
    ///
    /// Without it whoever makes an origin fail once could deny a resource for as long as it has not changed.
    public var heuristicErrorLimit: Int64 = 300
    /// Whether responses are stored of which only a part has come (§3.3); default yes.
    public var keepsPartialContent: Bool
    /// Departures from the RFCs that are switched on; default none.
    public var deviations: Deviations
    /// Settings that are rarely used; `nil` where all have their defaults.
    var options: SharedOptions?
    /// Whether the callers are several users, as at a gateway: then what answers a request with Authorization is stored
    /// as a shared cache would (§3.5), whatever `kind` is; default off.
    public var servesSeveralUsers = false

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
    /// `key(for:content:)` takes: `ContentDigest.text` for QUERY, `ContentDigest.unshared` for GET or HEAD with content.
    public func plan(
        _ request: HTTPRequest,
        content: String = "",
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> Planned {
        let key = key(for: request, content: content, or: stored.first?.key)
        return plan(request, key: key, policy: policy, stored: stored, now: now)
    }

    /// Decides for a request whose primary key this engine has made already.
    package func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> Planned {
        let reading = RequestReading(request.headerFields)
        let stored = usable(stored)
        // Most of what is not stored is asked for in one way, for which nothing else has to be looked at.
        if stored.isEmpty, policy == .useProtocolCachePolicy, request.method == .get, reading.isPlain,
            !key.isUnshared
        {
            return Planned(missing: key, by: request)
        }
        var planning = Planning(
            engine: self,
            request: request,
            reading: reading,
            policy: policy,
            stored: stored,
            now: now
        )
        planning.isKeyedByContent = key.isOfContent
        planning.isUnshared = key.isUnshared
        let decision = planning.decide()
        return Planned(
            plan: decision.plan,
            request: request,
            policy: policy,
            key: key,
            stored: stored,
            findings: planning.trace.findings,
            forwardReason: decision.reason
        )
    }

    /// Decides what the caller gets and what is stored, after the network (RFC 9111 §3, §4.3.3–4.3.5, §4.4).
    ///
    /// A plan to serve with a revalidation is settled with the answer to the revalidation.
    public func settle(_ planned: Planned, reply: OriginReply) -> Settlement {
        switch reply {
        case .response(let response, let requestTime, let responseTime):
            var settling = Settling(engine: self, planned: planned, sent: requestTime, received: responseTime)
            return settling.settle(response)
        case .failure(let requestTime, let responseTime):
            var settling = Settling(engine: self, planned: planned, sent: requestTime, received: responseTime)
            return settling.settleFailure()
        case .rejected(let requestTime, let responseTime):
            let settling = Settling(engine: self, planned: planned, sent: requestTime, received: responseTime)
            return settling.settlement(.rejected(reason: "The response is not valid HTTP."))
        }
    }

    /// Returns the plan of a request that is sent again, as `Answer.retry` asks.
    public func retried(_ planned: Planned, sending request: HTTPRequest) -> Planned {
        Planned(
            plan: .forward(request),
            request: planned.request,
            policy: planned.policy,
            key: planned.key,
            stored: planned.stored,
            findings: planned.findings,
            forwardReason: planned.forwardReason
        )
    }
}
