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
    let policy: RequestCachePolicy
    let stored: [StoredResponse]
    let now: HTTPDate
    let reading: RequestReading
    /// Whether the digest of the request content is part of the key.
    var isKeyedByContent = false
    var trace = Trace()

    init(
        engine: CacheEngine,
        request: HTTPRequest,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) {
        self.engine = engine
        self.request = request
        self.policy = policy
        self.stored = stored
        self.now = now
        reading = RequestReading(request.headerFields)
    }

    /// Decides as the policy says.
    mutating func decide() -> Decision {
        switch policy {
        case .useProtocolCachePolicy: byProtocol()
        case .reloadIgnoringLocalCacheData: ignoringLocal()
        case .reloadIgnoringLocalAndRemoteCacheData: ignoringLocalAndRemote()
        case .returnCacheDataElseLoad: whateverItsAge(.policyReturnElseLoad)
        case .returnCacheDataDontLoad: whateverItsAge(.policyReturnDontLoad)
        case .reloadRevalidatingCacheData: revalidating()
        }
    }

    /// RFC 9111 §4, with the request directives of §5.2.1.
    private mutating func byProtocol() -> Decision {
        if let decision = notFromStore() ?? preconditioned() { return decision }
        guard let selected = engine.select(request, among: stored, &trace) else { return missed() }
        switch use(of: selected) {
        case .fresh(let age, let lifetime):
            return serve(selected, age: age, lifetime: lifetime, isStale: false, revalidation: nil)
        case .stale(let age, let lifetime, let revalidates):
            let revalidation = revalidates ? background(selected) : nil
            return serve(selected, age: age, lifetime: lifetime, isStale: true, revalidation: revalidation)
        case .validate(let reason):
            return reading.cacheControl.onlyIfCached ? gatewayTimeout(reason) : validate(selected, reason)
        }
    }

    /// Range requests and methods other than GET and HEAD go to the origin.
    mutating func notFromStore() -> Decision? {
        guard request.method.isAnsweredFromStore || isKeyedByContent else {
            if request.method == .query {
                trace.note(.queryNeedsContent, false, "the content is not known before it is sent")
            }
            trace.note(.reuseMethodAllows, false, .named("method", request.method.rawValue))
            if request.method.safety != .safe {
                trace.note(.writeThrough, true, .named("method", request.method.rawValue))
            }
            trace.note(.forwardMethod, true, .named("method", request.method.rawValue))
            return forward(.method)
        }
        guard reading.hasRange else { return nil }
        trace.note(.rangeForwarded, true, "the request has Range")
        return forward(.bypass)
    }

    /// A request with preconditions of its own gets the origin's answer to them, a 304 included.
    mutating func preconditioned() -> Decision? {
        guard reading.hasPrecondition else { return nil }
        trace.note(.callerConditionForwarded, true, "the request has preconditions of its own")
        if request.headerFields.contains(.ifMatch) || request.headerFields.contains(.ifUnmodifiedSince) {
            trace.note(.originOnlyConditions, true, "If-Match and If-Unmodified-Since are the origin's")
        }
        return forward(.request)
    }

    /// Nothing stored matches: a miss of the URI or of the variant (§4.1).
    mutating func missed() -> Decision {
        guard !stored.isEmpty else {
            trace.note(.forwardURIMiss, true, "nothing is stored for the target URI")
            return forward(.uriMiss)
        }
        trace.note(.forwardVaryMiss, true, "\(stored.count) stored, none matches")
        guard !reading.cacheControl.onlyIfCached, policy != .returnCacheDataDontLoad else {
            return forward(.varyMiss)
        }
        return validate(nil, .varyMiss)
    }

    /// Sends the request as it stands, unless the request or the policy forbids the network.
    mutating func forward(_ reason: ForwardReason) -> Decision {
        if policy == .returnCacheDataDontLoad {
            trace.note(.policyReturnDontLoad, false, "no stored response, and the network is not allowed")
            return Decision(plan: .unavailable, reason: reason)
        }
        if reading.cacheControl.onlyIfCached { return gatewayTimeout(reason) }
        return Decision(plan: .forward(request), reason: reason)
    }

    private mutating func gatewayTimeout(_ reason: ForwardReason) -> Decision {
        trace.note(.requestOnlyIfCached, false, "only-if-cached, and no stored response may be used")
        return Decision(plan: .gatewayTimeout, reason: reason)
    }

    /// Hands on a stored response.
    mutating func serve(
        _ selected: StoredResponse,
        age: Int64,
        lifetime: Int64,
        isStale: Bool,
        revalidation: Validation?
    ) -> Decision {
        if request.method == .head { trace.note(.headFromGet, true, "the stored response is to GET") }
        trace.note(.reuseSetsAge, true, .seconds("Age", age))
        let reuse = Reuse(
            stored: selected,
            age: age,
            lifetime: lifetime,
            isStale: isStale,
            revalidation: revalidation
        )
        return Decision(plan: .serve(reuse), reason: nil)
    }

    /// Asks the origin about the selected response, or about all variants where none was selected.
    mutating func validate(_ selected: StoredResponse?, _ reason: ForwardReason) -> Decision {
        let validation = engine.validation(of: selected, among: stored, for: request, &trace)
        guard let validation else { return Decision(plan: .forward(request), reason: reason) }
        return Decision(plan: .validate(validation), reason: reason)
    }

    private mutating func background(_ selected: StoredResponse) -> Validation {
        trace.note(.staleWhileRevalidateBackground, true, "validated in the background")
        return engine.validation(of: selected, among: stored, for: request, &trace)
            ?? Validation(request: request, candidates: [])
    }
}
