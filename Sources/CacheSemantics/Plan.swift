public import HTTPTypes

/// Which kind of cache decides (RFC 9111 §1).
public enum CacheKind: String, Sendable, Hashable, CaseIterable {
    /// Of one user.
    case `private`
    /// Of many.
    case shared
}

/// What to do with a request, before the network.
public enum Plan: Sendable {
    /// Answer from the store; `Reuse.revalidation` says whether to validate meanwhile.
    case serve(Reuse)
    /// Ask the origin whether the candidates are still good.
    case validate(Validation)
    /// Send the request as it stands, fields of the policy added.
    case forward(HTTPRequest)
    /// `only-if-cached` without a usable stored response: answer 504.
    case gatewayTimeout
    /// `returnCacheDataDontLoad` without a stored response: fail without touching the network.
    case unavailable
}

/// A stored response that may be used as it is.
public struct Reuse: Sendable {
    /// The selected stored response.
    public let stored: StoredResponse
    /// Current age in seconds (RFC 9111 §4.2.3).
    public let age: Int64
    /// Freshness lifetime in seconds (RFC 9111 §4.2.1).
    public let lifetime: Int64
    /// Whether it is used although stale.
    public let isStale: Bool
    /// The conditional request to send in the background (RFC 5861 §3); `nil` where none is due.
    public var revalidation: Validation? { revalidations.first }
    /// None or one: out of line, so that copying a reuse, as every hit does, does not copy an empty request.
    private let revalidations: [Validation]

    /// Creates a reuse.
    public init(stored: StoredResponse, age: Int64, lifetime: Int64, isStale: Bool, revalidation: Validation?)
    {
        self.stored = stored
        self.age = age
        self.lifetime = lifetime
        self.isStale = isStale
        revalidations = revalidation.map { [$0] } ?? []
    }

    /// The response to hand on: the stored one with `Age` set; made anew at each access.
    public var response: HTTPResponse {
        var response = stored.facts.responseWithoutAge
        response.headerFields.append(HTTPField(name: .age, value: String(age)))
        return response
    }
}

/// A conditional request and the stored responses it asks about.
public struct Validation: Sendable {
    /// The request to send, with the preconditions added.
    public let request: HTTPRequest
    /// The stored responses whose validators it carries; the selected one first.
    public let candidates: [StoredResponse]

    /// Creates a validation.
    public init(request: HTTPRequest, candidates: [StoredResponse]) {
        self.request = request
        self.candidates = candidates
    }
}

/// A plan with what it was made from and why.
public struct Planned: Sendable {
    /// What to do.
    public let plan: Plan
    /// The request as the caller made it.
    public let request: HTTPRequest
    /// The caller's policy.
    public let policy: RequestCachePolicy
    /// Its primary cache key.
    public let key: CacheKey
    /// All stored responses of the key that were offered.
    public let stored: [StoredResponse]
    /// Every rule that was consulted, in order.
    public let findings: [Finding]
    /// Why the request goes forward, for `Cache-Status` (RFC 9211 §2.2); `nil` for a hit.
    public let forwardReason: ForwardReason?

    /// Creates a planned request.
    public init(
        plan: Plan,
        request: HTTPRequest,
        policy: RequestCachePolicy,
        key: CacheKey,
        stored: [StoredResponse],
        findings: [Finding],
        forwardReason: ForwardReason?
    ) {
        self.plan = plan
        self.request = request
        self.policy = policy
        self.key = key
        self.stored = stored
        self.findings = findings
        self.forwardReason = forwardReason
    }
}

/// The `fwd` values of RFC 9211 §2.2.
public enum ForwardReason: String, Sendable, Hashable, CaseIterable {
    /// The cache is not in use for this request.
    case bypass
    /// The method's semantics require forwarding.
    case method
    /// Nothing is stored for the URI.
    case uriMiss = "uri-miss"
    /// Something is stored for the URI, but no variant matches.
    case varyMiss = "vary-miss"
    /// Nothing usable, for a reason that is not told apart.
    case miss
    /// A stored response was usable, but the request asked for the origin.
    case request
    /// The stored response is stale.
    case stale
    /// The stored response is partial.
    case partial
}
