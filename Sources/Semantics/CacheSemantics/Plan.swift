public import HTTPTypes

/// The kind of cache (RFC 9111 §1).
public enum CacheKind: String, Sendable, Hashable, CaseIterable {
    /// A private cache, of one user.
    case `private`
    /// A shared cache, of many users.
    case shared
}

/// The decision on a request, before the network.
public enum Plan: Sendable {
    /// Answer from the store; `Reuse.revalidation` specifies whether to validate meanwhile.
    case serve(Reuse)
    /// Validate the candidates with the origin.
    case validate(Validation)
    /// Request the bytes that a stored response lacks (RFC 9111 §3.3).
    case complete(PartialReuse)
    /// Forward the request, with the fields that the policy adds.
    case forward(HTTPRequest)
    /// `only-if-cached` without a usable stored response: answer 504.
    case gatewayTimeout
    /// `returnCacheDataDontLoad` without a stored response: fail without touching the network.
    case unavailable
}

/// A conditional request and the stored responses that it validates.
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

/// A plan with its inputs and its findings.
public struct PlannedRequest: Sendable {
    /// The plan.
    public package(set) var plan: Plan
    /// The caller's request.
    public let request: HTTPRequest
    /// The caller's policy.
    public let policy: RequestCachePolicy
    /// Its primary cache key.
    public package(set) var key: CacheKey
    /// All stored responses of the key that were considered.
    public package(set) var stored: [StoredResponse]
    /// The variants of those that the request asked about and that are no longer stored, or have been replaced.
    private(set) var former: [VariantKey] = []
    /// Every rule that was evaluated, in order.
    public package(set) var findings: [Finding]
    /// The reason why the request goes forward, for `Cache-Status` (RFC 9211 §2.2); `nil` for a hit.
    public package(set) var forwardReason: ForwardReason?

    /// Creates a planned request without findings.
    package init(
        _ plan: Plan,
        for request: HTTPRequest,
        policy: RequestCachePolicy,
        key: CacheKey,
        stored: [StoredResponse]
    ) {
        self.plan = plan
        self.request = request
        self.policy = policy
        self.key = key
        self.stored = stored
        findings = []
        forwardReason = nil
    }

    /// The stored responses that the request asks the origin about; empty if it asks about none.
    package var validated: [StoredResponse] {
        if case .validate(let validation) = plan { validation.candidates } else { [] }
    }

    /// Returns a copy with what is stored at the moment at which a 304, or a response to HEAD, arrives (RFC 9111 §4.3.4), besides
    /// what the request asked about and is no longer stored.
    package func renewed(with current: [StoredResponse], besides former: [StoredResponse] = [])
        -> PlannedRequest
    {
        var renewed = self
        renewed.stored = (former + current).withContentOfAliases
        renewed.former = former.map(\.variant)
        if case .validate(let validation) = plan {
            let candidates = validation.candidates.map { candidate in
                renewed.stored.first { $0.variant == candidate.variant } ?? candidate
            }
            let known = candidates + stored
            // What was stored meanwhile may have one of the validators that the 304 names.
            let added = renewed.stored.filter { new in !known.contains { $0.hasValidators(of: new) } }
            let validated = Validation(request: validation.request, candidates: candidates + added)
            renewed.plan = .validate(validated)
        }
        return renewed
    }

    /// Returns a copy with more findings appended.
    public func adding(_ findings: [Finding]) -> PlannedRequest {
        var planned = self
        planned.findings += findings
        return planned
    }
}

/// The `fwd` values of RFC 9211 §2.2.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ForwardReason: String, Sendable, Hashable, CaseIterable {
    /// The cache was configured not to handle this request.
    case bypass
    /// The method's semantics require forwarding.
    case method
    /// No response is stored for the URI.
    case uriMiss = "uri-miss"
    /// Responses are stored for the URI, but no variant matches.
    case varyMiss = "vary-miss"
    /// No usable response is stored; the reason is not distinguished.
    case miss
    /// A stored response was usable, but the request demands the origin.
    case request
    /// The stored response is stale.
    case stale
    /// The stored response is partial.
    case partial
}

extension StoredResponse {
    /// Whether it is of the same variant and has the same validators.
    fileprivate func hasValidators(of other: StoredResponse) -> Bool {
        variant == other.variant && entityTag == other.entityTag && lastModified == other.lastModified
    }
}
