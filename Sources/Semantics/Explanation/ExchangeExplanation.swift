public import CacheSemantics
public import HTTPTypes

/// A cache's handling of a response and of the next request, with reasons.
public struct ExchangeExplanation: Sendable {
    /// The statements, in the order of their topics.
    public internal(set) var statements: [Statement] = []
    /// Advice for the author of the response.
    public let advice: [Advice]
    /// Whether the response may be stored.
    public let isStorable: Bool
    /// The freshness lifetime; `nil` if nothing is stored.
    package internal(set) var lifetime: LifetimeTerms?
    /// The age at the next request; `nil` if nothing is stored.
    package internal(set) var age: AgeTerms?
    /// The cache's handling of the next request.
    public internal(set) var outcome = Outcome.forwarded
    /// The request that the cache would send then, also to validate in the background; `nil` if it would send none, or if
    /// nothing is stored, so that it forwards the request as it is.
    public internal(set) var sentRequest: HTTPRequest?
    var staleLimits: [StaleUse: StaleLimit] = [:]
    /// The fields that a validation would add, in order; empty without a validator.
    public internal(set) var conditions: [HTTPField] = []
    /// Every rule that was evaluated for the next request, in order.
    public internal(set) var findings: [Finding] = []

    /// A way to handle a request.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Serves the stored response.
        case served
        /// Serves the stored response although it is stale.
        case servedStale = "served-stale"
        /// Validates the stored response.
        case validated
        /// Requests the missing bytes.
        case completed
        /// Forwards the request.
        case forwarded
        /// Responds with 504.
        case gatewayTimeout = "gateway-timeout"
        /// Fails without using the network.
        case unavailable
    }

    /// Explains an exchange and the next request.
    public init(_ exchange: ExplainedExchange) {
        let (head, settlement) = exchange.storing()
        let stored = head?.asLongAsItSays
        isStorable = stored != nil
        advice = Advice.all(about: exchange)
        explainStoring(stored, settlement, exchange)
        explainExtensions(of: stored, exchange)
        guard let stored else { return }
        explainKey([stored], exchange)
        explainLifetime(of: stored, exchange.engine)
        let isDated = exchange.response.headerFields.contains(.date)
        explainAge(of: stored, exchange.engine, now: exchange.now, isDated: isDated)
        if stored.parts == nil, stored.contentLength == nil {
            explainUse(ofWhole: stored, exchange)
        } else {
            explainUse(of: [stored], exchange)
        }
        explainValidation(of: stored, exchange)
        explainStaleUse(of: stored, exchange)
    }

    /// Explains a request, given the stored responses of its key.
    public init(
        _ request: HTTPRequest,
        among stored: [StoredResponse],
        engine: CacheEngine,
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        now: HTTPDate
    ) {
        isStorable = !stored.isEmpty
        let nearest = Self.nearest(to: request, among: stored, engine)
        var exchange = ExplainedExchange(
            request: request,
            response: nearest?.response ?? HTTPResponse(status: .ok),
            at: nearest?.responseTime ?? now
        )
        exchange.requestTime = nearest?.requestTime ?? now
        exchange.after = .seconds(now.seconds(since: exchange.responseTime))
        exchange.engine = engine
        exchange.policy = policy
        advice = nearest == nil ? [] : Advice.all(about: exchange)
        guard let nearest else {
            note(.nearest, "No response is stored for \(engine.key(for: request).targetURI)", .forwardURIMiss)
            return
        }
        explainKey([nearest], exchange)
        explainLifetime(of: nearest, engine)
        explainAge(of: nearest, engine, now: now)
        explainUse(of: stored, exchange)
        explainValidation(of: nearest, exchange)
        explainStaleUse(of: nearest, exchange)
    }

    /// The freshness lifetime (RFC 9111 §4.2.1); `nil` if nothing is stored.
    public var freshnessLifetime: Duration? { lifetime.map { .seconds($0.seconds) } }

    /// The age at the next request (RFC 9111 §4.2.3); `nil` if nothing is stored.
    public var currentAge: Duration? { age.map { .seconds($0.sum) } }

    /// The time for which the stored response is still fresh at the next request, zero or less if it is stale; `nil` if
    /// nothing is stored.
    public var remainingLifetime: Duration? {
        guard let freshnessLifetime, let currentAge else { return nil }
        return freshnessLifetime - currentAge
    }

    /// Returns the limit for using the stored response although it is stale (RFC 9111 §4.2.4).
    public func staleLimit(of use: StaleUse) -> StaleLimit { staleLimits[use] ?? .never }

    mutating func note(_ topic: Statement.Topic, _ claim: Claim, _ rule: Rule) {
        statements.append(Statement(topic, claim, rule))
    }

    mutating func note(_ topic: Statement.Topic, _ remark: String, _ rule: Rule) {
        note(topic, .remark(remark), rule)
    }
}

extension StoredResponse {
    /// Returns the stored response with the length in Content-Length; without that the ranges are unknown.
    fileprivate var asLongAsItSays: StoredResponse {
        // RFC 9110 §8.6: a list of equal lengths is one length.
        let lengths = Set(ListField.members(of: response.headerFields[values: .contentLength]))
        guard parts == nil, lengths.count == 1, let text = lengths.first, let length = Int(text), length >= 0
        else { return self }
        return holding(contentLength: length)
    }
}
