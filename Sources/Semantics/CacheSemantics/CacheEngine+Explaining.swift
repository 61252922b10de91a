public import HTTPTypes

/// The current age of a stored response as a sum (RFC 9111 §4.2.3).
package struct AgeTerms: Sendable, Hashable {
    /// Response time minus `Date`, not negative, in seconds.
    package let apparent: Int64
    /// The `Age` field plus the time between request and response, in seconds.
    package let corrected: Int64
    /// The time since the response was received, in seconds.
    package let resident: Int64
    /// The larger of the first two, plus the third.
    package let sum: Int64
}

/// A freshness lifetime and its source (RFC 9111 §4.2.1).
package struct LifetimeTerms: Sendable, Hashable {
    /// The source of a lifetime.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// `s-maxage`, in a shared cache.
        case sharedMaxAge = "s-maxage"
        /// `max-age`.
        case maxAge = "max-age"
        /// `Expires` minus `Date`.
        case expires = "Expires"
        /// A tenth of the time since `Last-Modified`, up to the engine's limit (§4.2.2).
        case heuristic = "Last-Modified"
        /// An invalid value: stale at once.
        case invalid
        /// No source: stale at once.
        case none
    }
    /// The lifetime in seconds.
    package let seconds: Int64
    /// Its source.
    package let source: Source
    /// The rule that determined it.
    package let rule: Rule
}

extension CacheEngine {
    /// Returns the terms of the age of a stored response.
    package func ageTerms(of stored: StoredResponse, now: HTTPDate) -> AgeTerms {
        let age = CurrentAge(of: stored, now: now)
        return AgeTerms(
            apparent: age.apparent,
            corrected: age.corrected,
            resident: age.resident,
            sum: age.seconds
        )
    }

    /// Returns the freshness lifetime of a stored response and its source.
    package func lifetimeTerms(of stored: StoredResponse) -> LifetimeTerms {
        let lifetime = lifetime(of: stored)
        let source: LifetimeTerms.Source
        switch lifetime.source {
        case .sharedMaxAge: source = .sharedMaxAge
        case .maxAge: source = .maxAge
        case .expires: source = .expires
        case .heuristic, .limitedHeuristic: source = .heuristic
        case .invalid: source = .invalid
        case .none: source = .none
        }
        return LifetimeTerms(seconds: lifetime.seconds, source: source, rule: lifetime.rule)
    }

    /// Returns the directives that apply to a stored response: those of the targeted field, if one applies.
    public func directives(of stored: StoredResponse) -> ResponseCacheControl { control(of: stored.facts) }

    /// Returns the targeted field that applies to a stored response; `nil` if Cache-Control does (RFC 9213 §2.2).
    public func targetedField(of stored: StoredResponse) -> HTTPField.Name? { target(of: stored.facts)?.name }

    /// Returns the directives that decide whether a response is stored, and the targeted field that they are from; `nil`
    /// for Cache-Control (RFC 9213 §2.2).
    public func directives(of response: HTTPResponse) -> (
        control: ResponseCacheControl, target: HTTPField.Name?
    ) {
        // The time of receipt affects only dates, which are not read here.
        let metadata = ResponseMetadata(response.headerFields, received: HTTPDate(secondsSinceEpoch: 0))
        return control(of: metadata, response.headerFields)
    }

    /// Returns the directive that forbids using a stored response once it is stale; `nil` if there is none (§4.2.4).
    public func staleProhibition(of stored: StoredResponse) -> Rule? { prohibition(of: stored) }

    /// Returns the nominated fields in which a request differs from the one that a stored response answered (§4.1).
    ///
    /// Returns `nil` if `Vary` has a member that never matches.
    public func differences(of request: HTTPRequest, from stored: StoredResponse) -> [HTTPField.Name]? {
        let facts = stored.facts
        guard !facts.vary.neverMatches else { return nil }
        let fields = kept(request.headerFields)
        return facts.vary.names.indices.filter {
            let name = facts.vary.names[$0]
            return Vary.value(of: name, in: fields) != facts.selectingValues[$0]
                && !isSameInAnotherOrder(name, stored, fields)
        }.map { facts.vary.names[$0] }
    }
}
