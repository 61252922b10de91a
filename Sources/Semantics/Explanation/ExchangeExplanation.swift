public import CacheSemantics
public import HTTPTypes

/// What a cache would do with a response and with the next request, in words, and why.
public struct ExchangeExplanation: Sendable {
    /// The statements, in the order of their topics.
    public internal(set) var statements: [Statement] = []
    /// What its author may want to change about the response.
    public let advice: [Advice]
    /// Whether the response may be stored.
    public let isStorable: Bool
    /// The freshness lifetime; `nil` where nothing is stored.
    public internal(set) var lifetime: LifetimeTerms?
    /// The age at the next request; `nil` where nothing is stored.
    public internal(set) var age: AgeTerms?
    /// What the cache would do with the next request.
    public internal(set) var outcome = Outcome.forwarded
    /// The fields that a validation would add, in order; empty where there is no validator.
    public internal(set) var conditions: [HTTPField] = []
    /// Every rule that was consulted for the next request, in order.
    public internal(set) var findings: [Finding] = []

    /// What a cache does with a request.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Answers from the store.
        case served
        /// Answers from the store although the response is stale.
        case servedStale = "served-stale"
        /// Asks whether what is stored is still good.
        case validated
        /// Asks for what is missing.
        case completed
        /// Asks the origin as if nothing were stored.
        case forwarded
        /// Answers 504.
        case gatewayTimeout = "gateway-timeout"
        /// Fails without asking.
        case unavailable
    }

    /// Explains what becomes of a response.
    public init(_ exchange: ExplainedExchange) {
        let (head, settlement) = exchange.storing()
        let stored = head?.asLongAsItSays
        isStorable = stored != nil
        advice = Advice.all(about: exchange)
        tellStoring(stored, settlement, exchange)
        guard let stored else { return }
        tellKey([stored], exchange)
        tellLifetime(of: stored, exchange.engine)
        tellAge(of: stored, exchange.engine, now: exchange.now)
        tellUse(of: [stored], exchange)
        tellValidation(of: stored, exchange)
        tellStaleUse(of: stored, exchange)
    }

    /// Explains what becomes of a request where these are stored under its key.
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
        exchange.after = now.seconds(since: exchange.responseTime)
        exchange.engine = engine
        exchange.policy = policy
        advice = nearest == nil ? [] : Advice.all(about: exchange)
        guard let nearest else {
            note(.nearest, "Nothing is stored for \(engine.key(for: request).targetURI)", .forwardURIMiss)
            return
        }
        tellKey([nearest], exchange)
        tellLifetime(of: nearest, engine)
        tellAge(of: nearest, engine, now: now)
        tellUse(of: stored, exchange)
        tellValidation(of: nearest, exchange)
        tellStaleUse(of: nearest, exchange)
    }

    mutating func note(_ topic: Statement.Topic, _ claim: Claim, _ rule: Rule) {
        statements.append(Statement(topic, claim, rule))
    }

    mutating func note(_ topic: Statement.Topic, _ remark: String, _ rule: Rule) {
        note(topic, .remark(remark), rule)
    }
}

extension StoredResponse {
    /// With content as long as Content-Length says; without that nobody knows which ranges there are.
    fileprivate var asLongAsItSays: StoredResponse {
        // RFC 9110 §8.6: a list of equal lengths is one length.
        let lengths = Set(ListField.members(of: response.headerFields[values: .contentLength]))
        guard parts == nil, lengths.count == 1, let text = lengths.first, let length = Int(text), length >= 0
        else { return self }
        return holding(contentLength: length)
    }
}
