internal import HTTPTypes

/// One decision after the network.
struct Settling {
    let engine: CacheEngine
    let planned: PlannedRequest
    let sent: HTTPDate
    let received: HTTPDate
    let metadata: RequestMetadata
    var trace = Trace()
    var edits: [StoreEdit] = []
    /// Whether the response clears the stored responses of its origin; it is not stored itself then.
    var clearsSite = false

    init(engine: CacheEngine, planned: PlannedRequest, sent: HTTPDate, received: HTTPDate) {
        self.engine = engine
        self.planned = planned
        self.sent = sent
        self.received = received
        metadata = RequestMetadata(planned.request.headerFields)
    }

    var request: HTTPRequest { planned.request }

    /// The conditional request that was sent; `nil` if the request was forwarded unchanged.
    var validation: Validation? {
        switch planned.plan {
        case .validate(let validation): validation
        case .serve(let reuse): reuse.revalidation
        case .complete, .forward, .gatewayTimeout, .unavailable: nil
        }
    }

    /// Settles the origin's response.
    mutating func settle(_ response: HTTPResponse) -> Settlement {
        if let problem = response.problem(answering: planned.sentRequest) {
            return rejected(response, problem)
        }
        clearSite(after: response)
        if request.method.safety != .safe {
            invalidate(after: response)
            if request.method == .post, !clearsSite {
                storePosted(response)
            } else {
                trace.note(.storeMethodUnderstood, false, .named("method", request.method.rawValue))
            }
            return settlement(.origin(response))
        }
        trace.note(.safeInvalidatesNothing, true, .named("method", request.method.rawValue))
        if case .complete(let partial) = planned.plan, let settlement = complete(partial, with: response) {
            return settlement
        }
        let code = response.status.code
        if code == 304 { return notModified(response) }
        if code >= 500, !clearsSite, let reuse = staleReuse(insteadOf: response) {
            return settlement(.stored(reuse))
        }
        if validation != nil { noteFull(response) }
        if request.method == .head { freshen(fromHead: response) }
        if !clearsSite { store(response) }
        return settlement(.origin(withKnownFields(response)))
    }

    /// Returns a 206 with the fields that the origin left out because of an If-Range that the request did not have.
    ///
    /// RFC 9110 §15.3.7: a caller without If-Range gets all fields of the representation. The If-Range held, so they are
    /// those of the stored response.
    private func withKnownFields(_ response: HTTPResponse) -> HTTPResponse {
        guard planned.asksWithIfRange, !metadata.hasRangeCondition, response.status == .partialContent,
            let known = selected()?.response.headerFields
        else { return response }
        var response = response
        let names: [HTTPField.Name] = [.contentType, .contentEncoding, .contentLanguage, .lastModified]
        for name in names where !response.headerFields.contains(name) {
            response.headerFields[fields: name] = known[fields: name]
        }
        return response
    }

    /// Settles an impossible response to the request; it still invalidates.
    private mutating func rejected(_ response: HTTPResponse, _ problem: String) -> Settlement {
        trace.note(response.status.code == 304 ? .unsolicitedNotModified : .unsolicitedPart, false, problem)
        if request.method.safety != .safe { invalidate(after: response) }
        return settlement(.rejected(reason: problem))
    }

    /// Settles a response that is not valid HTTP.
    ///
    /// It may have reported the success of an unsafe request, after which §4.4 forbids the use of what is stored.
    mutating func settleInvalid() -> Settlement {
        if request.method.safety != .safe { invalidateTarget() }
        return settlement(.rejected(reason: "The response is not valid HTTP."))
    }

    /// Settles the lack of a response to a request that was sent.
    ///
    /// The origin may have carried out an unsafe request; §4.4 requires an invalidation only for a response that reports
    /// success, and permits any other.
    mutating func settleUnanswered() -> Settlement {
        if request.method.safety != .safe { invalidateTarget() }
        return settleFailure()
    }

    /// Settles a failure to get a response.
    mutating func settleFailure() -> Settlement {
        // Deviation: §4.2.4 allows a stale response, and §5.2.2.2 a 504; `urlcache/apple/deviation` pins it.
        guard !engine.deviations.contains(.apple), usesStoredOnError, let selected = selected(),
            part(of: selected) != nil
        else { return settlement(.unanswered) }
        let outcome = disconnectedOutcome(of: selected)
        guard case .gatewayTimeout = outcome else { return settlement(outcome) }
        if trace.findings.contains(where: { $0.rule == .staleForbidden }) {
            trace.note(.responseMustRevalidateFailed, true, "a stored response exists, but may not be used")
        }
        return settlement(.gatewayTimeout)
    }

    /// Returns the use of a part of a stored response; one that was just validated is not stale, regardless of its
    /// lifetime.
    func use(of stored: StoredResponse, _ part: Reuse.Part, isValidated: Bool = true) -> Reuse {
        let age = CurrentAge(of: stored, now: received).seconds
        let lifetime = engine.lifetime(of: stored).seconds
        var reuse = Reuse(
            stored: stored,
            age: age,
            lifetime: lifetime,
            isStale: !isValidated && lifetime <= age,
            revalidation: nil
        )
        reuse.part = part
        reuse.answersIfRange = metadata.hasRangeCondition
        return reuse
    }

    func settlement(_ answer: CallerOutcome) -> Settlement {
        Settlement(answer: forCaller(answer), edits: edits, findings: trace.findings)
    }

    /// Removes the connection options from the origin's response: one that may be stored must be the same now as when it
    /// is reused.
    private func forCaller(_ answer: CallerOutcome) -> CallerOutcome {
        if case .origin(let response) = answer { return .origin(ConnectionOptions.removed(from: response)) }
        return answer
    }

    /// Returns the stored response that the request selects; its findings are already in the plan.
    ///
    /// Also `nil` if that response has no-store and was stored explicitly by a caller.
    func selected() -> StoredResponse? {
        var ignored = Trace()
        let selected = engine.select(request, among: planned.stored, &ignored)
        return selected.flatMap { engine.mayBeStored($0) ? $0 : nil }
    }

    /// Returns the part of a stored response that answers the request; `nil` if it lacks some of the requested bytes.
    mutating func part(of stored: StoredResponse) -> Reuse.Part? {
        guard metadata.isSelective || stored.parts != nil else { return .whole }
        let suitable = engine.suitable(stored, for: request, metadata, now: received, &trace)
        if case .part(let part) = suitable { return part }
        return nil
    }

    private mutating func noteFull(_ response: HTTPResponse) {
        let status = Finding.Numbers.named("status", String(response.status.code))
        trace.note(response.status.code >= 500 ? .validationServerError : .validationFull, true, status)
    }
}
