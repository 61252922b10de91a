internal import HTTPTypes

/// One decision before the network.
struct Planning {
    /// A plan and, unless it is a hit, why the request goes forward.
    struct Decision {
        let plan: Plan
        let reason: ForwardReason?
    }

    let engine: CacheEngine
    let request: HTTPRequest
    let metadata: RequestMetadata
    let policy: RequestCachePolicy
    let stored: [StoredResponse]
    let now: HTTPDate
    /// Whether the digest of the request content is part of the key.
    var isKeyedByContent = false
    /// Whether the request is a safe one whose response is for no other.
    var isUncacheable = false
    /// Whether the reason are fields that are not part of the key.
    var hasUnkeyedFields = false
    var trace = Trace()

    /// Decides according to the policy.
    mutating func decide() -> Decision {
        if isUncacheable { return forwardUncacheable() }
        return switch policy {
        case .useProtocolCachePolicy: byProtocol()
        case .reloadIgnoringLocalCacheData: ignoringLocal()
        case .reloadIgnoringLocalAndRemoteCacheData: ignoringLocalAndRemote()
        case .returnCacheDataElseLoad: whateverItsAge(.policyReturnElseLoad)
        case .returnCacheDataDontLoad: whateverItsAge(.policyReturnDontLoad)
        case .reloadRevalidatingCacheData: revalidating()
        }
    }

    /// Decides by RFC 9111 §4 and the request directives of §5.2.1.
    private mutating func byProtocol() -> Decision {
        if let decision = notFromStore() ?? forOriginOnly() { return decision }
        guard let selected = engine.select(request, among: stored, &trace) else { return missed() }
        guard engine.mayBeStored(selected) else { return forwardForbidden() }
        switch use(of: selected) {
        case .fresh(let age, let lifetime):
            return serve(selected, age: age, lifetime: lifetime, isStale: false, revalidation: nil)
        case .stale(let age, let lifetime, let revalidates):
            // §5.2.1.7: with only-if-cached the origin is not asked at all.
            let mayAsk = revalidates && !metadata.cacheControl.onlyIfCached
            let revalidation = mayAsk ? background(selected) : nil
            return serve(selected, age: age, lifetime: lifetime, isStale: true, revalidation: revalidation)
        case .validate(let reason):
            return metadata.cacheControl.onlyIfCached ? gatewayTimeout(reason) : confirm(selected, reason)
        }
    }

    /// Forwards a request whose content has no defined semantics (GET or HEAD with content, RFC 9110 §9.3.1), or which
    /// has fields that change the response.
    private mutating func forwardUncacheable() -> Decision {
        if hasUnkeyedFields {
            trace.note(.keyHasMethodAndTarget, true, "the request has fields that are not part of the key")
        } else {
            trace.note(.contentUnshared, true, .named("request content with", request.method.rawValue))
        }
        return forward(.bypass)
    }

    /// Forwards the request although a response is stored: the caller stored it explicitly, and it must not be stored
    /// (§5.2.2.5).
    mutating func forwardForbidden() -> Decision {
        trace.note(.responseNoStore, false, "a response with no-store was stored by hand")
        trace.note(.forwardMiss, true, "only a response that must not be stored is stored")
        return forward(.miss)
    }

    /// Returns the decision to forward a request that the store never answers: with a method other than GET and HEAD, and
    /// a QUERY without a key, although its method would allow a stored response; `nil` for others.
    mutating func notFromStore() -> Decision? {
        guard !request.method.isAnsweredFromStore, !isKeyedByContent else { return nil }
        if request.method == .query {
            trace.note(.queryNeedsContent, false, "the content is not known before it is sent")
            trace.note(.forwardBypass, true, "the key of a QUERY includes its content")
            return forward(.bypass)
        }
        trace.note(.reuseMethodAllows, false, .named("method", request.method.rawValue))
        if request.method.safety != .safe {
            trace.note(.writeThrough, true, .named("method", request.method.rawValue))
        }
        trace.note(.forwardMethod, true, .named("method", request.method.rawValue))
        return forward(.method)
    }

    /// Forwards a request with preconditions that only the origin can evaluate.
    mutating func forOriginOnly() -> Decision? {
        guard metadata.hasOriginCondition else { return nil }
        trace.note(.originOnlyConditions, true, "only the origin evaluates If-Match and If-Unmodified-Since")
        trace.note(.callerConditionForwarded, true, "the request has its own preconditions")
        return forward(reasonForOriginOnly)
    }

    /// The most specific reason for forwarding a request that only the origin can answer (RFC 9211 §2.2).
    private var reasonForOriginOnly: ForwardReason {
        // What is noted on the way does not decide anything.
        var untraced = self
        guard let selected = engine.select(request, among: stored, &untraced.trace) else {
            return stored.isEmpty ? .uriMiss : .varyMiss
        }
        guard engine.mayBeStored(selected) else { return .miss }
        switch untraced.use(of: selected) {
        case .fresh: return .request
        case .stale: return .stale
        case .validate(let reason): return reason
        }
    }

    /// Handles a miss of the URI or of the variant (§4.1).
    mutating func missed() -> Decision {
        if metadata.hasPrecondition {
            trace.note(
                .callerConditionForwarded,
                true,
                "no stored response to evaluate the preconditions against"
            )
        }
        if metadata.hasRange {
            trace.note(.rangeForwarded, true, "no stored response to answer the Range from")
        }
        guard !stored.isEmpty else {
            trace.note(Self.uriMiss)
            return forward(.uriMiss)
        }
        trace.note(.forwardVaryMiss, true, "\(stored.count) stored, none matches")
        guard !metadata.cacheControl.onlyIfCached, policy != .returnCacheDataDontLoad else {
            return forward(.varyMiss)
        }
        return validate(nil, .varyMiss)
    }

    fileprivate static let uriMiss = Finding(
        .forwardURIMiss,
        held: true,
        "nothing is stored for the target URI"
    )

    /// Forwards the request, unless the request or the policy forbids the network.
    mutating func forward(_ reason: ForwardReason) -> Decision { forward(request, reason) }

    /// Forwards a form of the request, unless the request or the policy forbids the network.
    mutating func forward(_ asking: HTTPRequest, _ reason: ForwardReason) -> Decision {
        kept(from: reason) ?? Decision(plan: .forward(asking), reason: reason)
    }

    /// Returns the decision if the request or the policy forbids the network; `nil` if it may be used.
    ///
    /// §4: only-if-cached does not keep unsafe requests from the origin.
    mutating func kept(from reason: ForwardReason) -> Decision? {
        if policy == .returnCacheDataDontLoad {
            trace.note(.policyReturnDontLoad, false, "no stored response, and the network is not allowed")
            return Decision(plan: .unavailable, reason: reason)
        }
        guard metadata.cacheControl.onlyIfCached, request.method.safety == .safe else { return nil }
        return gatewayTimeout(reason)
    }

    mutating func gatewayTimeout(_ reason: ForwardReason) -> Decision {
        trace.note(.requestOnlyIfCached, false, "only-if-cached, and no stored response may be used")
        return Decision(plan: .gatewayTimeout, reason: reason)
    }

    /// Serves a stored response.
    mutating func serve(
        _ selected: StoredResponse,
        age: Int64,
        lifetime: Int64,
        isStale: Bool,
        revalidation: Validation?
    ) -> Decision {
        var part = Reuse.Part.whole
        if metadata.isSelective || selected.parts != nil {
            // Deviation: §4.3.2 evaluates the request's preconditions; `urlcache/apple/deviation` pins it.
            let ignoresConditions = engine.deviations.contains(.apple) && metadata.hasPrecondition
            let asked = ignoresConditions ? request.withoutConditions : request
            let read = ignoresConditions ? RequestMetadata(asked.headerFields) : metadata
            switch engine.suitable(selected, for: asked, read, now: now, &trace) {
            case .part(let suitable): part = suitable
            case .lacks(let gap): return complete(selected, gap, .partial)
            case .insufficient: return forwardForParts()
            }
        }
        if request.method == .head { trace.note(.headFromGet, true, "the stored response is to GET") }
        trace.note(.reuseSetsAge, true, .seconds("Age", age))
        var reuse = Reuse(
            stored: selected,
            age: age,
            lifetime: lifetime,
            isStale: isStale,
            revalidation: revalidation
        )
        reuse.part = part
        reuse.answersIfRange = metadata.hasRangeCondition
        return Decision(plan: .serve(reuse), reason: nil)
    }

    /// Validates the selected response, or all variants if none was selected.
    mutating func validate(_ selected: StoredResponse?, _ reason: ForwardReason) -> Decision {
        let usable = engine.usable(stored, for: request, now: now, served: nil, &trace)
        let validation = engine.validation(of: selected, among: usable, for: request, &trace)
        guard let validation else { return Decision(plan: .forward(request), reason: reason) }
        return Decision(plan: .validate(validation), reason: reason)
    }

    private mutating func background(_ selected: StoredResponse) -> Validation {
        trace.note(.staleWhileRevalidateBackground, true, "validated in the background")
        // In the background no caller waits for a part or a 304.
        let whole = request.unconditional
        let usable = engine.usable(stored, for: whole, now: now, served: selected, &trace)
        return engine.validation(of: selected, among: usable, for: whole, &trace)
            ?? Validation(request: whole, candidates: [])
    }
}

extension PlannedRequest {
    /// Creates a decision with the inputs and findings of its planning.
    init(_ decision: Planning.Decision, by planning: Planning, key: CacheKey) {
        plan = decision.plan
        request = planning.request
        policy = planning.policy
        self.key = key
        stored = planning.stored
        findings = planning.trace.findings
        forwardReason = decision.reason
    }

    /// Creates the decision of `Planning.missed()` for a request without cache directives, ranges or preconditions.
    init(missing key: CacheKey, by request: HTTPRequest) {
        self.init(.forward(request), for: request, policy: .useProtocolCachePolicy, key: key, stored: [])
        (findings, forwardReason) = (Self.missing, .uriMiss)
    }

    private static let missing = [Planning.uriMiss]
}
