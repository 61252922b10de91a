import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// A settlement that is to be carried out, and the exchange that led to it.
    struct Outcome {
        let settlement: Settlement
        /// `nil` for the exchange of another request.
        let exchange: Exchange?
        let error: TransportError?
        let metrics: TransactionMetrics
    }

    /// Returns the answer that a settlement leads to; throws if it has none for the caller.
    func answer(_ transaction: Transaction, _ lookup: PlannedLookup, _ outcome: Outcome) throws(ClientError)
        -> TransactionResult
    {
        var terms = Terms(transaction: transaction, lookup: lookup, outcome: outcome)
        switch outcome.settlement.answer {
        case .origin(let response):
            let answer = terms.answer(response, from: .origin)
            if let exchange = outcome.exchange { answer.content = .live(exchange) }
            return answer
        case .validated(let reuse, let response): return validated(reuse, response, terms)
        case .completed(let completion): return completed(completion, terms)
        case .stored(let reuse):
            outcome.exchange?.discard()
            let answer = self.answer(transaction, lookup, reuse, terms.status)
            answer.findings = terms.findings
            answer.cause = outcome.error
            return answer
        case .gatewayTimeout:
            outcome.exchange?.discard()
            terms.status.detail = detail(outcome) ?? terms.status.detail
            let answer = generated(transaction, terms.findings, terms.status)
            answer.cause = outcome.error
            return answer
        case .rejected(let reason): throw failure(terms, TransportError(.badResponse, reason))
        case .unanswered, .retry:
            throw failure(
                terms,
                TransportError(.badResponse, "The origin's 304 matches no stored response.")
            )
        }
    }

    /// A settlement with the parts that all its answers have in common.
    private struct Terms {
        let transaction: Transaction
        let lookup: PlannedLookup
        let outcome: Outcome
        let findings: [Finding]
        var status: CacheStatus

        init(transaction: Transaction, lookup: PlannedLookup, outcome: Outcome) {
            self.transaction = transaction
            self.lookup = lookup
            self.outcome = outcome
            let planned = lookup.planned
            let news = outcome.settlement.findings
            findings = news.isEmpty ? planned.findings : planned.findings + news
            status = CacheStatus(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
            status.forwardStatus = outcome.metrics.status
            status.isStored = false
            // Why the stored response was not used.
            status.detail = lookup.damageDetail ?? Self.unusedReply(planned)
        }

        /// Returns an answer without content.
        func answer(_ response: HTTPResponse, from source: ResponseSource) -> TransactionResult {
            var metrics = outcome.metrics
            metrics.source = source
            return TransactionResult(
                transaction.request,
                response,
                findings: findings,
                status: status,
                metrics: metrics
            )
        }

        /// Returns the reason why the origin was asked again after a 304; `nil` if it was not.
        private static func unusedReply(_ planned: PlannedRequest) -> String? {
            planned.findings.last { $0.rule == .freshenNone }?.detail
        }
    }

    /// Returns the stored response that the origin has confirmed.
    private func validated(_ reuse: Reuse, _ response: HTTPResponse, _ terms: Terms) -> TransactionResult {
        terms.outcome.exchange?.discard()
        let answer = terms.answer(response, from: .validated)
        answer.stored = reuse.stored
        let located = terms.lookup.content(of: reuse.stored)
        answer.metrics.version = located?.entry.version
        answer.content = content(located, terms.transaction, reuse)
        answer.age = reuse.age
        answer.status.ttl = .seconds(reuse.lifetime - reuse.age)
        return answer
    }

    /// Returns stored parts combined with those that the origin sends.
    private func completed(_ completion: Completion, _ terms: Terms) -> TransactionResult {
        let answer = terms.answer(completion.response, from: .origin)
        answer.stored = completion.stored
        answer.content = content(completion, terms.lookup, terms.outcome.exchange)
        answer.arriving = completion.arriving.map { Int($0.count) }
        answer.status.ttl = .seconds(completion.lifetime - completion.age)
        return answer
    }

    /// Returns the error of an exchange without an answer for the caller; `other` if the transport had none.
    private func failure(_ terms: Terms, _ other: TransportError) -> ClientError {
        terms.outcome.exchange?.discard()
        let error = terms.outcome.error ?? other
        var status = terms.status
        status.detail = error.detail
        return ClientError(
            error,
            url: terms.transaction.fullURL,
            findings: terms.findings,
            cacheStatus: status
        )
    }

    /// Returns the stored bytes and those that arrive, in their order.
    private func content(_ completion: Completion, _ lookup: PlannedLookup, _ exchange: Exchange?)
        -> TransactionResult.Content
    {
        guard let exchange, let entry = lookup.content(of: completion.stored)?.entry else { return .none }
        return .composed(
            completion.pieces.compactMap { piece in
                switch piece {
                case .stored(let range): .stored(range, of: completion.stored, entry.body)
                case .arriving: .live(exchange)
                }
            }
        )
    }

    /// Returns the reason why a stored response was not used instead of the origin's, and why the origin's is missing.
    private func detail(_ outcome: Outcome) -> String? {
        let reasons = [outcome.settlement.findings.last { !$0.held }?.detail, outcome.error?.detail]
        return reasons.contains { $0 != nil } ? reasons.compactMap(\.self).joined(separator: "; ") : nil
    }
}
