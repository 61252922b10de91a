import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func explainValidation(of stored: StoredResponse, _ exchange: ExplainedExchange) {
        conditions = conditionsSent ?? exchange.conditions(of: stored)
        for field in conditions { note(.validation, .condition(field), Self.rule(of: field.name)) }
        guard conditions.isEmpty else { return }
        let reason =
            stored.hasValidator ? "its validator cannot be used for such a request" : "it has no validator"
        note(.validation, .unconditional(because: reason), .conditionNone)
    }

    /// The conditions of the request that the next one leads to; `nil` if it does not ask about what is stored.
    private var conditionsSent: [HTTPField]? {
        guard let sentRequest else { return nil }
        let isAsked = [.validated, .completed, .servedStale].contains(outcome)
        guard
            isAsked || findings.contains(where: { $0.rule == .conditionPartial || $0.rule == .conditionNone })
        else { return nil }
        return sentRequest.headerFields.filter { Self.conditionNames.contains($0.name) }
    }

    private static let conditionNames: Set<HTTPField.Name> = [.ifNoneMatch, .ifModifiedSince, .ifRange]

    private static func rule(of name: HTTPField.Name) -> Rule {
        switch name {
        case .ifNoneMatch: .conditionEntityTag
        case .ifModifiedSince: .conditionLastModified
        default: .conditionPartial
        }
    }

    mutating func explainStaleUse(of stored: StoredResponse, _ exchange: ExplainedExchange) {
        if let rule = exchange.engine.staleProhibition(of: stored) {
            note(.staleUse, .neverStale(because: Self.directive(rule)), rule)
            return note(
                .staleUse,
                "A cache that cannot validate it responds with 504",
                .responseMustRevalidateFailed
            )
        }
        let probe = StaleProbe(stored, exchange.engine, like: exchange.request)
        let staleness = -exchange.engine.remainingFreshness(of: stored, now: exchange.now)
        for use in StaleUse.allCases { explain(use, probe, staleness: staleness) }
    }

    private mutating func explain(_ use: StaleUse, _ probe: StaleProbe, staleness: Int64) {
        let limit = probe.limit(of: use)
        if let limit, limit < 0 { return }
        staleLimits[use] = limit.map { .until(probe.moment(ofStaleness: $0)) } ?? .unlimited
        let hasPassed = limit.map { $0 < staleness } ?? false
        note(.staleUse, .stale(use, upTo: limit, hasPassed: hasPassed), use.rule(limit))
    }

    static func directive(_ rule: Rule) -> String {
        switch rule {
        case .responseNoCache: "no-cache"
        case .responseMustRevalidate: "must-revalidate"
        case .responseProxyRevalidate: "proxy-revalidate"
        default: "s-maxage"
        }
    }
}

extension ExplainedExchange {
    /// Returns the fields that a validation of a stored response adds to a request that selects it, in order.
    ///
    /// A request for a range may have other conditions than one for the whole.
    func conditions(of stored: StoredResponse) -> [HTTPField] {
        let asked = next ?? self.request
        var request = StaleProbe(stored, engine, like: asked).request
        for name in [HTTPField.Name.range, .ifRange] {
            request.headerFields[fields: name] = asked.headerFields[fields: name]
        }
        let planned = engine.plan(
            request,
            key: stored.key,
            policy: .reloadRevalidatingCacheData,
            stored: [stored],
            now: now
        )
        guard let sent = planned.sent else { return [] }
        return sent.headerFields.filter { !request.headerFields.contains($0) }
    }
}

extension PlannedRequest {
    /// The request to the origin, including one for background validation; `nil` if none is sent.
    var sent: HTTPRequest? {
        switch plan {
        case .serve(let reuse): reuse.revalidation?.request
        case .validate(let validation): validation.request
        case .complete(let partial): partial.request
        case .forward(let request): request
        case .gatewayTimeout, .unavailable: nil
        }
    }
}
