import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// The result of the head of a round.
    enum Arrived {
        case answer(HopAnswer)
        /// Another request, which has been sent.
        case again(Round)
    }

    /// Carries out what the head of a round, or its failure, requires.
    func arrive(_ round: Round, _ hop: Hop) throws(ClientError) -> Arrived {
        let exchange = round.exchange
        let (reply, error) = reply(round)
        let lookup = current(round, reply)
        var metrics = TransactionMetrics(url: hop.url, startedAt: round.started)
        exchange.add(to: &metrics)
        // The cancellation or timeout of a leader applies to the leader only.
        let isOwn = error?.kind == .cancelled || error?.kind == .timedOut
        round.leader?.flight.land(
            isOwn
                ? Flight.Arrival?.none
                : Flight.Arrival(reply: reply, version: metrics.version, error: error)
        )
        let settlement = settle(lookup.planned, reply)
        if error?.kind == .cancelled, let error { throw ClientError(error, url: hop.fullURL) }
        if case .retry(let again) = settlement.answer, !round.isRetry {
            return .again(retry(round, lookup, hop, sending: again, settlement))
        }
        let outcome = Outcome(settlement: settlement, exchange: exchange, error: error, metrics: metrics)
        let answer = try answer(hop, lookup, outcome)
        answer.pending = apply(timely(settlement.edits, round), lookup, round.watch, &answer.status)
        if let version = metrics.version { answer.pending?.version = version }
        if let pending = answer.pending?.stored {
            answer.leader = round.leader
            answer.status.ttl = configuration.engine.timeToLive(of: pending, now: now)
        }
        noteSharing(hop, lookup, answer)
        return .answer(answer)
    }

    private func retry(
        _ round: Round,
        _ lookup: PlannedLookup,
        _ hop: Hop,
        sending request: HTTPRequest,
        _ settlement: Settlement
    ) -> Round {
        round.exchange.discard()
        var status = CacheStatus(key: lookup.planned.key.targetURI)
        _ = apply(settlement.edits, lookup, round.watch, &status)
        let current = current(round, lookup)
        let again = PlannedLookup(
            planned: retried(current.planned, sending: request).adding(settlement.findings),
            entries: current.entries,
            damage: current.damage,
            at: current.moment
        )
        return depart(hop, again, round.leader, isRetry: true)
    }

    /// Settles a reply; without a store there is nothing to decide about a response.
    private func settle(_ planned: Planned, _ reply: OriginReply) -> Settlement {
        if store == nil, case .response(let response, _, _) = reply,
            response.problem(answering: planned.sentRequest) == nil
        {
            return Settlement(answer: .origin(response), edits: [], findings: [])
        }
        return settled(planned, reply: reply)
    }

    private func reply(_ round: Round) -> (OriginReply, TransportError?) {
        do throws(TransportError) {
            let (head, wallSeconds) = try round.exchange.head()
            let received = HTTPDate(wallSeconds: wallSeconds)
            return (.response(head, requestTime: round.sent, responseTime: received), nil)
        } catch {
            let isRejected = error.kind == .badResponse || error.kind == .cannotParse
            return isRejected
                ? (.rejected(requestTime: round.sent, responseTime: now), error)
                : (.failure(requestTime: round.sent, responseTime: now), error)
        }
    }
}
