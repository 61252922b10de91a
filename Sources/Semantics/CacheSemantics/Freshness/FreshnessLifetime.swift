internal import HTTPTypes

/// A freshness lifetime and its source (RFC 9111 §4.2.1).
struct FreshnessLifetime: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case sharedMaxAge, maxAge, expires, heuristic
        /// Heuristic, limited by the engine to less than a tenth of the time since Last-Modified.
        case limitedHeuristic
        /// Explicit but invalid: the response is stale.
        case invalid
        case none
    }

    let seconds: Int64
    let source: Source

    /// The rule that determined it.
    var rule: Rule {
        switch source {
        case .sharedMaxAge: .lifetimeSharedMaxAge
        case .maxAge: .lifetimeMaxAge
        case .expires: .lifetimeExpires
        case .heuristic: .heuristicTenPercent
        case .limitedHeuristic: .heuristicLimited
        case .invalid: .lifetimeInvalid
        case .none: .freshWhileLifetimeExceedsAge
        }
    }

    var description: String {
        switch source {
        case .sharedMaxAge: "lifetime \(seconds) s from s-maxage"
        case .maxAge: "lifetime \(seconds) s from max-age"
        case .expires: "lifetime \(seconds) s from Expires"
        case .heuristic: "lifetime \(seconds) s, a tenth of the time since Last-Modified"
        case .limitedHeuristic: "lifetime \(seconds) s, the limit of heuristic freshness"
        case .invalid: "lifetime \(seconds) s, the freshness information is invalid"
        case .none: "lifetime \(seconds) s, no freshness information"
        }
    }
}

extension CacheEngine {
    /// Returns the freshness lifetime of a stored response: the first source that is present decides (§4.2.1).
    func lifetime(of stored: StoredResponse) -> FreshnessLifetime {
        let facts = stored.facts
        if kind == .shared, let sharedMaxAge = control(of: facts, { $0.sharedMaxAge }) {
            return explicit(sharedMaxAge, .sharedMaxAge)
        }
        if let maxAge = control(of: facts, { $0.maxAge }) { return explicit(maxAge, .maxAge) }
        switch expiry(of: facts) {
        case .moment(let moment):
            return FreshnessLifetime(seconds: max(0, moment.seconds(since: facts.date)), source: .expires)
        case .invalid:
            return FreshnessLifetime(seconds: 0, source: .invalid)
        case nil:
            return heuristic(facts)
        }
    }

    private func explicit(_ argument: SecondsArgument, _ source: FreshnessLifetime.Source)
        -> FreshnessLifetime
    {
        guard case .seconds(let seconds) = argument else {
            return FreshnessLifetime(seconds: 0, source: .invalid)
        }
        return FreshnessLifetime(seconds: seconds, source: source)
    }

    private func heuristic(_ facts: StoredResponse.Facts) -> FreshnessLifetime {
        // An update may have taken away what allowed a shared cache to store a response with Set-Cookie (§3.2).
        guard usesHeuristicFreshness, let lastModified = facts.lastModified,
            !lacksPermissionToShareCookie(facts.response, control(of: facts)),
            facts.response.status.isHeuristicallyCacheable || control(of: facts).isPublic
        else { return FreshnessLifetime(seconds: 0, source: .none) }
        let limit =
            facts.statusCode < 400
            ? heuristicLimitSeconds : min(heuristicLimitSeconds, heuristicErrorLimitSeconds)
        let tenth = max(0, facts.date.seconds(since: lastModified) / 10)
        return FreshnessLifetime(
            seconds: min(tenth, limit),
            source: tenth > limit ? .limitedHeuristic : .heuristic
        )
    }

    /// Records the source of the lifetime, and the sources that were ignored.
    func note(_ lifetime: FreshnessLifetime, of stored: StoredResponse, in trace: inout Trace) {
        let facts = stored.facts
        if options != nil, let target = target(of: facts) {
            trace.note(.targetedFirst, true, .named("reuse is governed by", target.name.rawName))
        }
        if control(of: facts, { $0.hasConflict }) || facts.hasSeveralExpires {
            trace.note(.lifetimeConflict, true, .lifetime(lifetime))
        }
        if kind == .private, control(of: facts, { $0.sharedMaxAge != nil }) {
            trace.note(.lifetimeSharedMaxAgePrivate, true, "s-maxage applies only to shared caches")
        }
        switch lifetime.source {
        case .sharedMaxAge, .maxAge:
            trace.note(lifetime.rule, true, .lifetime(lifetime))
            if facts.expires != nil { trace.note(.expiresIgnored, true, .lifetime(lifetime)) }
        case .invalid where facts.expires == .invalid && control(of: facts, { $0.maxAge == nil }):
            trace.note(.expiresInvalid, false, .lifetime(lifetime))
        case .invalid:
            trace.note(.lifetimeInvalid, false, .lifetime(lifetime))
        case .expires, .heuristic, .limitedHeuristic:
            trace.note(lifetime.rule, true, .lifetime(lifetime))
        case .none:
            noteNoHeuristic(facts, in: &trace)
        }
    }

    private func noteNoHeuristic(_ facts: StoredResponse.Facts, in trace: inout Trace) {
        guard usesHeuristicFreshness, facts.lastModified != nil else { return }
        trace.note(.heuristicStatus, false, .named("status", String(facts.response.status.code)))
    }
}
