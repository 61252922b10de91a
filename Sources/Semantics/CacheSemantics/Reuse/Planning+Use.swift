extension Planning {
    /// A way to use a selected stored response.
    enum Use {
        case fresh(age: Int64, lifetime: Int64)
        case stale(age: Int64, lifetime: Int64, revalidates: Bool)
        case validate(ForwardReason)
    }

    /// Evaluates the conditions of §4, the strictest first.
    mutating func use(of selected: StoredResponse) -> Use {
        if let reason = mandatoryValidation(selected) { return .validate(reason) }
        let age = CurrentAge(of: selected, now: now)
        let lifetime = engine.lifetime(of: selected)
        engine.note(lifetime, of: selected, in: &trace)
        trace.note(age.rule, true, .age(age))
        let seconds = age.seconds
        let isFresh = lifetime.seconds > seconds
        trace.note(.freshWhileLifetimeExceedsAge, isFresh, .freshness(age: seconds, lifetime))
        if engine.control(of: selected.facts, { $0.isImmutable }) {
            trace.note(isFresh ? .immutableFresh : .immutableStale, isFresh, "the response is immutable")
        }
        guard isWithinRequestLimits(age: seconds, lifetime: lifetime.seconds) else {
            trace.note(.forwardRequest, true, "the request's directives do not allow it")
            return .validate(isFresh ? .request : .stale)
        }
        if isFresh { return .fresh(age: seconds, lifetime: lifetime.seconds) }
        return staleUse(of: selected, age: seconds, lifetime: lifetime.seconds)
    }

    /// Returns the reason to forward if validation is required at any age; `nil` if it is not.
    private mutating func mandatoryValidation(_ selected: StoredResponse) -> ForwardReason? {
        if selected.isInvalidated {
            trace.note(.invalidatedNeedsValidation, false, "an unsafe request or a HEAD has invalidated it")
            return .stale
        }
        if selected.isClockBehind(now) {
            trace.note(.ageResident, false, "the clock was set back since it was stored")
            return .stale
        }
        switch engine.control(of: selected.facts, { $0.noCache }) {
        case .everything:
            trace.note(.responseNoCache, false, "the response has no-cache")
            trace.note(.reuseNoCacheValidated, false, "the response has no-cache")
            return .stale
        case .fields:
            trace.note(.responseNoCacheFields, true, "used without the fields that no-cache lists")
        case .nothing:
            break
        }
        guard metadata.cacheControl.noCache else { return nil }
        if metadata.usesPragma {
            trace.note(.pragmaNoCache, false, "the request has Pragma: no-cache")
        } else {
            trace.note(.requestNoCache, false, "the request has no-cache")
        }
        // RFC 9211 §2.2: "request" is the reason for a fresh response only.
        guard isFresh(selected) else { return .stale }
        trace.note(.forwardRequest, true, "the request requires validation")
        return .request
    }

    /// Whether a response is fresh, regardless of other reasons to validate it.
    private func isFresh(_ selected: StoredResponse) -> Bool {
        engine.lifetime(of: selected).seconds > CurrentAge(of: selected, now: now).seconds
    }

    /// Whether a fresh response satisfies the request's max-age and min-fresh (§5.2.1.1, §5.2.1.3).
    private mutating func isWithinRequestLimits(age: Int64, lifetime: Int64) -> Bool {
        if let limit = metadata.cacheControl.maxAge {
            let numbers = Finding.Numbers.compared("age", age, "the request's max-age", limit)
            guard trace.note(.requestMaxAge, age <= limit, numbers) else { return false }
        }
        guard let margin = metadata.cacheControl.minFresh else { return true }
        let left = lifetime > age ? lifetime - age : 0
        return trace.note(.requestMinFresh, left >= margin, .compared("fresh for", left, "min-fresh", margin))
    }

    /// Returns the use of a stale response: §4.2.4 decides whether it may be used.
    private mutating func staleUse(of selected: StoredResponse, age: Int64, lifetime: Int64) -> Use {
        let staleness = age - lifetime
        if let rule = engine.prohibition(of: selected) {
            trace.note(rule, false, .seconds("stale for", staleness))
            trace.note(.staleForbidden, false, .seconds("stale for", staleness))
        } else if let accepted = acceptsStaleness(staleness) {
            if accepted { return .stale(age: age, lifetime: lifetime, revalidates: false) }
        } else if isWithinRevalidateWindow(selected, staleness) {
            return .stale(age: age, lifetime: lifetime, revalidates: true)
        }
        trace.note(.staleOnlyAllowed, false, .seconds("stale for", staleness))
        trace.note(.forwardStale, true, .seconds("stale for", staleness))
        return .validate(.stale)
    }

    /// Whether the request's max-stale allows it; `nil` if it has none.
    private mutating func acceptsStaleness(_ staleness: Int64) -> Bool? {
        switch metadata.cacheControl.maxStale {
        case .any:
            trace.note(.requestMaxStaleAny, true, .seconds("stale for", staleness))
        case .atMost(let limit):
            trace.note(
                .requestMaxStale,
                staleness <= limit,
                .compared("stale for", staleness, "max-stale", limit)
            )
        case nil:
            nil
        }
    }

    /// Whether RFC 5861 §3 allows it; a request with max-age does not accept a stale response (§5.2.1.1).
    private mutating func isWithinRevalidateWindow(_ selected: StoredResponse, _ staleness: Int64) -> Bool {
        guard let window = engine.control(of: selected.facts, { $0.staleWhileRevalidate }),
            metadata.cacheControl.maxAge == nil
        else {
            return false
        }
        // A window of 0 s permits no stale use, not even in the second in which the response becomes stale.
        let held = window > 0 && staleness <= window
        let numbers = Finding.Numbers.compared("stale for", staleness, "stale-while-revalidate", window)
        return trace.note(held ? .staleWhileRevalidate : .staleWhileRevalidatePast, held, numbers)
    }
}

extension CacheEngine {
    /// Returns the directive that forbids using a stored response once it is stale; `nil` if there is none (§4.2.4).
    func prohibition(of stored: StoredResponse) -> Rule? {
        let control = control(of: stored.facts)
        if control.noCache == .everything { return .responseNoCache }
        if control.mustRevalidate { return .responseMustRevalidate }
        guard kind == .shared else { return nil }
        if control.proxyRevalidate { return .responseProxyRevalidate }
        return control.sharedMaxAge == nil ? nil : .responseSharedMaxAge
    }
}
