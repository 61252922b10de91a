/// Freshness, age and the reuse of a stored response without validation (RFC 9111 §4).
struct ReuseRules {
    let configuration: OracleConfiguration
    var storing: StoringRules { StoringRules(configuration: configuration) }

    /// Returns the longest lifetime that the rules permit (RFC 9111 §4.2.1).
    func longestLifetime(_ state: StoredState) -> Int {
        let directives = state.directives
        if configuration.isShared, let seconds = directives.seconds("s-maxage") { return seconds }
        if let seconds = directives.seconds("max-age") { return seconds }
        guard let expires = state.fields["expires"] else { return heuristicLifetime(state) }
        return max(0, (OracleDate.parse(expires) ?? 0) - state.date)
    }

    /// Returns the longest heuristic lifetime (RFC 9111 §4.2.2).
    ///
    /// The ceilings, and that a shared cache assigns none to a response with Set-Cookie, are decided policy.
    private func heuristicLifetime(_ state: StoredState) -> Int {
        let isCacheable =
            StoringRules.heuristicallyCacheable.contains(state.status) || state.directives.has("public")
        let isPersonal = state.fields["set-cookie"] != nil && !state.directives.has("public")
        if !isCacheable || configuration.isShared && isPersonal { return 0 }
        let ceiling = state.status >= 400 ? configuration.errorCeiling : configuration.ceiling
        guard let lastModified = state.lastModified else { return ceiling }
        return min(ceiling, max(0, state.date - lastModified))
    }

    /// Returns the ages that the rules permit (RFC 9111 §4.2.3): without the optional correction by Date and with it, and
    /// where the clock was set back with the resident time as it appears and as none.
    func ages(_ state: StoredState, at now: Int) -> [Int] {
        state.bases.flatMap { basis in
            let corrected = basis.ageValue + max(0, basis.responseTime - basis.requestTime)
            let apparent = max(0, basis.responseTime - basis.date)
            let resident = now - basis.responseTime
            return [corrected, max(apparent, corrected)].flatMap { [$0 + resident, $0 + max(0, resident)] }
        }
    }

    /// Returns the least of these.
    func age(_ state: StoredState, at now: Int) -> Int { ages(state, at: now).min() ?? 0 }

    /// Returns the least staleness in seconds; negative for a fresh response (RFC 9111 §4.2).
    func staleness(_ state: StoredState, at now: Int) -> Int {
        let staleness = age(state, at: now) - longestLifetime(state)
        return state.isMadeStale ? max(0, staleness) : staleness
    }

    /// Returns the reasons why a stored response cannot be chosen for a request; empty if it can (RFC 9111 §4, without the
    /// requirement to be fresh, allowed to be stale, or validated).
    func selectionObjections(_ state: StoredState, _ request: OracleRequest) -> [String] {
        var objections: [String] = []
        func object(_ isViolated: Bool, _ text: String) { if isViolated { objections.append(text) } }
        object(state.request.target != request.target, "§4: another target URI")
        object(!allows(state.request.method, request), "§4: stored for \(state.request.method)")
        object(request.hasContent, "policy: a request with content is not answered from the store")
        object(!selects(state, request), "§4.1: the selecting fields differ")
        let isForOneUser = configuration.isShared && state.request.fields["authorization"] != nil
        object(isForOneUser && !storing.allowsSharing(state.directives), "§3.5: stored for Authorization")
        return objections
    }

    /// Whether the method of the stored response allows it to be used (RFC 9110 §9.3.1–§9.3.3).
    private func allows(_ stored: String, _ request: OracleRequest) -> Bool {
        request.method == "HEAD" || request.method == "GET" && stored != "HEAD"
    }

    /// Whether the selecting fields match (RFC 9111 §4.1).
    func selects(_ state: StoredState, _ request: OracleRequest) -> Bool {
        state.vary.allSatisfy { name in
            name != "*"
                && normalized(name, state.request.fields[name]) == normalized(name, request.fields[name])
        }
    }

    /// Returns the value of a selecting field after the normalization that its specification allows: whitespace
    /// around the commas of a list, and case where values are case-insensitive (RFC 9111 §4.1).
    private func normalized(_ name: String, _ value: String?) -> String? {
        guard let value, ["accept-language", "accept-encoding", "accept"].contains(name) else {
            return value.map { trimmed($0) }
        }
        return value.lowercased().split(separator: ",").map { trimmed($0) }.joined(separator: ",")
    }

    /// Returns the reasons why a stored response must not be reused without validation (RFC 9111 §4).
    func objections(_ state: StoredState, _ request: OracleRequest, at now: Int) -> [String] {
        var objections = selectionObjections(state, request)
        func object(_ isViolated: Bool, _ text: String) { if isViolated { objections.append(text) } }
        let directives = state.directives
        object(state.isInvalid, "§4.4: invalidated")
        object(directives.hasUnqualified("no-cache"), "§5.2.2.4: no-cache")
        object(request.directives.has("no-cache"), "§5.2.1.4: no-cache in the request")
        objections += timeObjections(state, request, at: now)
        return objections
    }

    /// Whether an update forbids storing (RFC 9111 §5.2.2.3, §5.2.2.5, §5.2.2.7).
    func isKeptOut(_ state: StoredState) -> Bool {
        let directives = state.directives
        return directives.has("no-store") && !directives.has("must-understand")
            || configuration.isShared && directives.hasUnqualified("private")
    }

    /// Whether a stored response may be reused whichever of the permitted ages and lifetimes a cache calculates (RFC 9111 §4.2.1,
    /// §4.2.3).
    func isSuitableAtAnyAge(_ state: StoredState, _ request: OracleRequest, at now: Int) -> Bool {
        let doubt = (ages(state, at: now).max() ?? 0) - age(state, at: now)
        return !state.directives.repeats("max-age") && !state.directives.repeats("s-maxage")
            && objections(state, request, at: now + doubt).isEmpty
    }

    /// Returns the reasons why the age of a stored response does not permit reuse (RFC 9111 §4.2, §4.2.4, §5.2.1.1–§5.2.1.3).
    private func timeObjections(_ state: StoredState, _ request: OracleRequest, at now: Int) -> [String] {
        var objections: [String] = []
        let wishes = request.directives
        let age = age(state, at: now)
        let staleness = staleness(state, at: now)
        let isImmutable = staleness < 0 && state.directives.has("immutable")
        if let limit = wishes.seconds("max-age"), age > limit, !isImmutable {
            objections.append("§5.2.1.1: age \(age) exceeds max-age=\(limit)")
        }
        if let margin = wishes.seconds("min-fresh"), -staleness < margin {
            objections.append("§5.2.1.3: fresh for \(-staleness) s, min-fresh=\(margin)")
        }
        if staleness >= 0, !maySpareValidation(state, wishes, staleness) {
            let lifetime = longestLifetime(state)
            objections.append("§4.2.4: stale by \(staleness) s (lifetime \(lifetime), age \(age))")
        }
        return objections
    }

    /// Whether a stale response may be sent although the origin could be asked (RFC 9111 §4.2.4, §5.2.1.2;
    /// RFC 5861 §3).
    ///
    /// A request with max-age does not wish for stale responses without max-stale, nor one with max-stale for staler ones
    /// (RFC 9111 §5.2.1.1, §5.2.1.2).
    private func maySpareValidation(_ state: StoredState, _ wishes: Directives, _ staleness: Int) -> Bool {
        guard !prohibitsStale(state) else { return false }
        if wishes.hasNoArgument("max-stale") { return true }
        if let limit = wishes.seconds("max-stale"), staleness <= limit { return true }
        guard !wishes.has("max-age"), !wishes.has("min-fresh"), !wishes.has("max-stale"), !state.isMadeStale
        else { return false }
        let limit = state.directives.seconds("stale-while-revalidate") ?? 0
        return limit > 0 && staleness <= limit
    }

    /// Whether a directive prohibits stale use in all circumstances (RFC 9111 §4.2.4).
    func prohibitsStale(_ state: StoredState) -> Bool {
        let directives = state.directives
        return directives.has("must-revalidate")
            || configuration.isShared && (directives.has("s-maxage") || directives.has("proxy-revalidate"))
    }

    /// Returns the reasons why a stored response must not answer after the origin failed (RFC 9111 §4.2.4, §4.3.3; RFC 5861 §4).
    ///
    /// `lost` is whether the cache is disconnected: it could not reach the origin, or acts so because a validation got an error.
    func errorObjections(_ state: StoredState, _ cause: OracleRequest, lost: Bool, at now: Int) -> [String] {
        var objections = selectionObjections(state, cause)
        func object(_ isViolated: Bool, _ text: String) { if isViolated { objections.append(text) } }
        object(state.isInvalid, "§4.4: invalidated")
        object(state.directives.hasUnqualified("no-cache"), "§5.2.2.4: no-cache")
        let staleness = staleness(state, at: now)
        guard staleness >= 0 else { return objections }
        object(prohibitsStale(state), "§4.2.4: a directive prohibits stale use")
        // §4.2.4: it is explicitly permitted by the client, regardless of what stale-if-error adds.
        let wishes = cause.directives
        if wishes.hasNoArgument("max-stale") || staleness <= wishes.seconds("max-stale") ?? -1 {
            return objections
        }
        let limits = [state.directives, cause.directives].compactMap { $0.seconds("stale-if-error") }
        guard let limit = limits.max() else {
            object(!lost, "§4.2.4: stale by \(staleness) s, neither permitted nor disconnected")
            return objections
        }
        object(limit == 0 || staleness > limit, "RFC 5861 §4: stale by \(staleness) s, limit \(limit)")
        return objections
    }
}
