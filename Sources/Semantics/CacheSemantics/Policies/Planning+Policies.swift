internal import HTTPTypes

extension Planning {
    /// Loads from the origin without validators.
    mutating func ignoringLocal() -> Decision {
        trace.note(.policyReloadIgnoringLocal, true, "the policy bypasses the store")
        trace.note(.forwardBypass, true, "the policy bypasses the store")
        return Decision(plan: .forward(request), reason: .bypass)
    }

    /// Loads from the origin, and requires intermediate caches to do the same.
    mutating func ignoringLocalAndRemote() -> Decision {
        trace.note(.policyReloadIgnoringRemote, true, "no-cache is sent")
        trace.note(.forwardBypass, true, "the policy bypasses the store")
        var asking = request
        if !metadata.cacheControl.noCache || metadata.usesPragma {
            asking.headerFields.append(HTTPField(name: .cacheControl, value: "no-cache"))
        }
        if !request.headerFields.contains(.pragma) {
            asking.headerFields.append(HTTPField(name: .pragma, value: "no-cache"))
        }
        return Decision(plan: .forward(asking), reason: .bypass)
    }

    /// Uses a stored response of any age; if there is none, loads or fails.
    ///
    /// Deviation: RFC 9111 §4 asks for validation of stale and no-cache responses; the caller's policy wins, as
    /// `urlcache/policy/return-else-load` and `urlcache/policy/return-dont-load` pin. An invalidated response is not
    /// used, since it is known to be wrong.
    mutating func whateverItsAge(_ rule: Rule) -> Decision {
        if let decision = notFromStore() { return decision }
        let apple = engine.deviations.contains(.apple)
        let selected = engine.select(request, among: stored, &trace) ?? (apple ? anyVariant() : nil)
        guard let selected else { return missed() }
        guard apple || !selected.isInvalidated else {
            trace.note(.invalidatedNeedsValidation, false, "an unsafe request or a HEAD has invalidated it")
            return policy == .returnCacheDataDontLoad ? forward(.stale) : confirm(selected, .stale)
        }
        let age = CurrentAge(of: selected, now: now).seconds
        let lifetime = engine.lifetime(of: selected)
        trace.note(rule, true, .freshness(age: age, lifetime))
        return serve(
            selected,
            age: age,
            lifetime: lifetime.seconds,
            isStale: lifetime.seconds <= age,
            revalidation: nil
        )
    }

    /// Returns the most recent stored response, regardless of its Vary.
    ///
    /// Deviation: §4.1 requires the nominated fields to match, and §4.4 validation after an unsafe request;
    /// `urlcache/apple/deviation` pins it.
    private func anyVariant() -> StoredResponse? {
        let method = request.storedMethod
        return stored.filter { $0.method == method }.max { CacheEngine.isMoreRecent($1, than: $0) }
    }

    /// Uses a stored response only after the origin has confirmed it.
    mutating func revalidating() -> Decision {
        if let decision = notFromStore() ?? forOriginOnly() { return decision }
        guard let selected = engine.select(request, among: stored, &trace) else { return missed() }
        guard engine.mayBeStored(selected) else { return forwardForbidden() }
        let age = CurrentAge(of: selected, now: now).seconds
        let lifetime = engine.lifetime(of: selected)
        trace.note(.policyReloadRevalidating, true, .freshness(age: age, lifetime))
        guard !metadata.cacheControl.onlyIfCached else { return forward(.request) }
        return confirm(selected, lifetime.seconds > age ? .request : .stale)
    }
}
