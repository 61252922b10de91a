import CacheSemantics
import Explanation
import HTTPTypes

/// Whether a shared cache might answer as it did, by the head that it sent and by what it had received earlier.
///
/// Other clients have filled the cache, too, so that what is not in the archive proves nothing.
struct SharedReuse {
    enum Verdict {
        case permitted(UseReason)
        case forbidden(rule: String, UseReason)
    }
    let verdict: Verdict

    init(_ exchange: ArchivedExchange, _ engine: CacheEngine, among stored: [StoredResponse]) {
        verdict = Self.variant(exchange, engine, stored) ?? Self.head(exchange, engine)
    }

    /// Finds the response that was served among those of other variants only.
    private static func variant(
        _ exchange: ArchivedExchange,
        _ engine: CacheEngine,
        _ stored: [StoredResponse]
    ) -> Verdict? {
        let like = stored.filter { exchange.isLike($0) && $0.entityTag != nil }
        let request = exchange.bareRequest
        let differing = like.map { engine.differences(of: request, from: $0) ?? [] }
        guard let names = differing.first, differing.allSatisfy({ !$0.isEmpty }) else { return nil }
        let list = names.map(\.rawName).joined(separator: ", ")
        let text = "it answered another request, whose \(list) differed, and Vary nominates that"
        return .forbidden(rule: "other-variant-reuse", UseReason(text, "RFC 9111 §4.1"))
    }

    private static func head(_ exchange: ArchivedExchange, _ engine: CacheEngine) -> Verdict {
        let explanation = exchange.explanation(engine)
        guard let stored = exchange.stored(by: engine, at: exchange.responseTime) else {
            let reason = explanation.statements.first { $0.topic == .storing }
            return .forbidden(rule: "unstorable-reuse", UseReason(reason))
        }
        if stored.vary.neverMatches {
            let text = "it has Vary: *, which no other request matches"
            return .forbidden(rule: "other-variant-reuse", UseReason(text, "RFC 9111 §4.1"))
        }
        let unless = "unless the cache is configured to obey something that it does not send on"
        if engine.directives(of: stored).noCache == .everything {
            let text = "no-cache demands a validation for each use, \(unless)"
            return .forbidden(rule: "unvalidated-reuse", UseReason(text, "RFC 9111 §5.2.2.4"))
        }
        let lifetime = engine.lifetimeTerms(of: stored)
        let left = engine.remainingFreshness(of: stored, now: exchange.responseTime)
        if lifetime.isGuess { return .permitted(.ownLifetime) }
        if left > 0 {
            let text = "it was fresh for \(ByteText.seconds(left)) more"
            return .permitted(UseReason(text, "RFC 9111 §4.2"))
        }
        if let use = staleUse(explanation, staleness: -left) {
            return .permitted(UseReason("it may be used stale \(use)", "RFC 5861"))
        }
        let text = "it was stale by \(ByteText.seconds(-left)), \(unless), or could not reach the origin"
        return .forbidden(rule: "stale-reuse", UseReason(text, "RFC 9111 §4.2.4"))
    }

    /// Returns a possible reason for the use of a stale response although the origin could be reached.
    private static func staleUse(_ explanation: ExchangeExplanation, staleness: Int64) -> String? {
        for statement in explanation.statements {
            guard case .stale(let use, let limit, _) = statement.claim, limit.map({ staleness <= $0 }) ?? true
            else { continue }
            if use == .whileValidated { return "while it is validated" }
            if use == .insteadOfError { return "instead of an error" }
        }
        return nil
    }
}

extension ArchivedExchange {
    /// Returns an engine's decision on the head as it was received.
    func explanation(_ engine: CacheEngine) -> ExchangeExplanation {
        ExchangeExplanation(explained(engine, at: responseTime))
    }

    /// Returns the response that a cache would have stored, had it received this head at a given time; `nil` if it would
    /// have stored none.
    func stored(by engine: CacheEngine, at moment: HTTPDate) -> StoredResponse? {
        ReuseCosts(explained(engine, at: moment)).stored
    }

    /// Returns the response that a cache would have stored, had it received this head when it was generated: no earlier, and
    /// at the latest now.
    func storedEarlier(by engine: CacheEngine) -> StoredResponse? {
        let date = response.headerFields[.date].flatMap { HTTPDate(parsing: $0, now: requestTime) }
        return stored(by: engine, at: min(date ?? requestTime, requestTime))
    }

    private func explained(_ engine: CacheEngine, at moment: HTTPDate) -> ExplainedExchange {
        var exchange = ExplainedExchange(request: bareRequest, response: response, at: moment)
        exchange.engine = engine
        return exchange
    }

    /// Returns the request with the stored values of nominated fields that it lacks: browsers often record only a part of
    /// a request that their cache answers.
    func bareRequest(selecting stored: StoredResponse) -> HTTPRequest {
        var request = bareRequest
        for name in stored.vary.names where !request.headerFields.contains(name) {
            request.headerFields[fields: name] = stored.selectingFields[fields: name]
        }
        return request
    }

    /// Whether the response has the validator of a stored one.
    func hasValidator(of stored: StoredResponse) -> Bool {
        let fields = response.headerFields
        if let tag = stored.entityTag { return EntityTag(of: fields) == tag }
        guard let modified = stored.lastModified else { return false }
        return fields[.lastModified].flatMap { HTTPDate(parsing: $0, now: responseTime) } == modified
    }
}
