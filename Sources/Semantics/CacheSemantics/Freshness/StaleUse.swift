internal import HTTPTypes

extension Settling {
    /// Whether a stored response may replace an error at all.
    ///
    /// It may not under a policy that demands the origin, or if only the origin can evaluate the preconditions.
    var usesStoredOnError: Bool {
        guard request.method.isAnsweredFromStore || planned.key.isOfContent, !metadata.hasOriginCondition
        else {
            return false
        }
        switch planned.policy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad: return true
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataDontLoad,
            .reloadRevalidatingCacheData:
            return false
        }
    }

    /// Returns the stored response to use instead of a 5xx, if the request or the response allows that (RFC 5861 §4,
    /// §4.2.4).
    mutating func staleReuse(insteadOf response: HTTPResponse) -> Reuse? {
        guard usesStoredOnError, let selected = selected() else { return nil }
        let status = Finding.Numbers.named("status", String(response.status.code))
        guard trace.note(.staleIfErrorStatus, response.status.isStaleIfError, status) else { return nil }
        guard !isForbidden(selected), explicitlyAllowed(selected) == true else { return nil }
        return reuse(of: selected)
    }

    /// Returns the outcome while the origin cannot be reached: the stored response, unless §4.2.4 or the engine forbids it.
    mutating func disconnectedOutcome(of selected: StoredResponse) -> CallerOutcome {
        guard !isForbidden(selected) else { return .gatewayTimeout }
        if let allowed = explicitlyAllowed(selected) {
            return allowed ? storedOutcome(of: selected) : .gatewayTimeout
        }
        guard isWantedByRequest(selected) else { return .gatewayTimeout }
        let staleness = staleness(of: selected)
        guard engine.usesStaleWhenDisconnected || staleness < 0 else { return .unanswered }
        trace.note(.staleDisconnected, true, .seconds("stale for", max(0, staleness)))
        return storedOutcome(of: selected)
    }

    private mutating func storedOutcome(of selected: StoredResponse) -> CallerOutcome {
        reuse(of: selected).map { .stored($0) } ?? .gatewayTimeout
    }

    private func staleness(of selected: StoredResponse) -> Int64 {
        CurrentAge(of: selected, now: received).seconds - engine.lifetime(of: selected).seconds
    }

    private mutating func isForbidden(_ selected: StoredResponse) -> Bool {
        if selected.isInvalidated {
            return !trace.note(
                .invalidatedNeedsValidation,
                false,
                "an unsafe request or a HEAD has invalidated it"
            )
        }
        let staleness = staleness(of: selected)
        let mayBeStale = staleness >= 0 || selected.isClockBehind(received)
        guard let rule = engine.prohibition(of: selected), mayBeStale || rule == .responseNoCache else {
            return false
        }
        trace.note(rule, false, .seconds("stale for", staleness))
        return !trace.note(.staleForbidden, false, .seconds("stale for", staleness))
    }

    /// Whether stale-if-error and max-stale allow it; `nil` if neither is present.
    private mutating func explicitlyAllowed(_ selected: StoredResponse) -> Bool? {
        let staleness = staleness(of: selected)
        let request = metadata.cacheControl
        let response = engine.control(of: selected.facts)
        if let limit = request.staleIfError { return allows(.staleIfErrorRequest, staleness, limit) }
        guard isWantedByRequest(selected) else { return false }
        if case .any = request.maxStale {
            return trace.note(.requestMaxStaleAny, true, .seconds("stale for", staleness))
        }
        if case .atMost(let limit) = request.maxStale {
            return trace.note(.requestMaxStale, true, .compared("stale for", staleness, "max-stale", limit))
        }
        return response.staleIfError.map { allows(.staleIfErrorResponse, staleness, $0) }
    }

    /// Whether stale-if-error allows it: the directive of the request or, if that has none, of the response.
    func isWithinErrorWindow(_ selected: StoredResponse) -> Bool {
        let window =
            metadata.cacheControl.staleIfError ?? engine.control(of: selected.facts, { $0.staleIfError })
        guard let window, window > 0 else { return false }
        return staleness(of: selected) <= window
    }

    /// Whether a directive allows the staleness.
    ///
    /// A limit of 0 s permits no stale use, not even in the second in which the response becomes stale.
    private mutating func allows(_ rule: Rule, _ staleness: Int64, _ limit: Int64) -> Bool {
        let held = staleness < 0 || limit > 0 && staleness <= limit
        return trace.note(
            held ? rule : .staleIfErrorPast,
            held,
            .compared("stale for", staleness, "limit", limit)
        )
    }

    /// Whether the directives of the request allow the stored response.
    private mutating func isWantedByRequest(_ selected: StoredResponse) -> Bool {
        let control = metadata.cacheControl
        if control.noCache { return trace.note(.requestNoCache, false, "the request has no-cache") }
        let age = CurrentAge(of: selected, now: received).seconds
        let staleness = staleness(of: selected)
        if let limit = control.maxAge, age > limit || (staleness >= 0 && control.maxStale == nil) {
            return trace.note(.requestMaxAge, false, .compared("age", age, "the request's max-age", limit))
        }
        if let margin = control.minFresh, -staleness < margin {
            return trace.note(.requestMinFresh, false, .compared("stale for", staleness, "min-fresh", margin))
        }
        guard case .atMost(let limit) = control.maxStale, staleness > limit else { return true }
        return trace.note(.requestMaxStale, false, .compared("stale for", staleness, "max-stale", limit))
    }

    /// Returns the use of the stored response; `nil` if it lacks some of the requested bytes.
    private mutating func reuse(of selected: StoredResponse) -> Reuse? {
        guard let part = part(of: selected) else { return nil }
        let reuse = use(of: selected, part, isValidated: false)
        trace.note(.reuseSetsAge, true, .seconds("Age", reuse.age))
        return reuse
    }
}
