public import HTTPTypes

/// The current age of a stored response as a sum (RFC 9111 §4.2.3).
public struct AgeTerms: Sendable, Hashable {
    /// Response time minus `Date`, not negative, in seconds.
    public let apparent: Int64
    /// The `Age` field plus the time between request and response, in seconds.
    public let corrected: Int64
    /// The time since the response was received, in seconds.
    public let resident: Int64
    /// The larger of the first two, plus the third.
    public let sum: Int64
}

/// A freshness lifetime and where it comes from (RFC 9111 §4.2.1).
public struct LifetimeTerms: Sendable, Hashable {
    /// Where a lifetime comes from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// `s-maxage`, in a shared cache.
        case sharedMaxAge = "s-maxage"
        /// `max-age`.
        case maxAge = "max-age"
        /// `Expires` minus `Date`.
        case expires = "Expires"
        /// A tenth of the time since `Last-Modified`, up to the engine's limit (§4.2.2).
        case heuristic = "Last-Modified"
        /// Something that cannot be read: stale at once.
        case invalid
        /// Nothing: stale at once.
        case none
    }
    /// The lifetime in seconds.
    public let seconds: Int64
    /// Where it comes from.
    public let source: Source
    /// The rule that gave it.
    public let rule: Rule
}

extension CacheEngine {
    /// Returns what the age of a stored response is made of.
    public func ageTerms(of stored: StoredResponse, now: HTTPDate) -> AgeTerms {
        let age = CurrentAge(of: stored, now: now)
        return AgeTerms(
            apparent: age.apparent,
            corrected: age.corrected,
            resident: age.resident,
            sum: age.seconds
        )
    }

    /// Returns how long a stored response is fresh, and why.
    public func lifetimeTerms(of stored: StoredResponse) -> LifetimeTerms {
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

    /// Returns the directives that a stored response is used by: those of a targeted field where one counts.
    public func directives(of stored: StoredResponse) -> ResponseCacheControl { control(of: stored.facts) }

    /// Returns the targeted field that counts for a stored response; `nil` where it is Cache-Control (RFC 9213 §2.2).
    public func targetedField(of stored: StoredResponse) -> HTTPField.Name? { target(of: stored.facts)?.name }

    /// Returns the directives that a response is stored by, and the targeted field that they are from, `nil` where that is
    /// Cache-Control (RFC 9213 §2.2).
    public func directives(of response: HTTPResponse) -> (
        control: ResponseCacheControl, target: HTTPField.Name?
    ) {
        // When it was received decides about nothing but dates.
        let reading = ResponseReading(response.headerFields, received: HTTPDate(secondsSinceEpoch: 0))
        return control(of: reading, response.headerFields)
    }

    /// Returns the directive that forbids using a stored response once it is stale; `nil` if there is none (§4.2.4).
    public func staleProhibition(of stored: StoredResponse) -> Rule? { prohibition(of: stored) }

    /// Returns the nominated fields in which a request differs from the one that a stored response answered (§4.1).
    ///
    /// `nil` where `Vary` has a member that never matches.
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
