import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Synchronization

extension CachingClient {
    /// The result of the head of a response.
    enum Arrived {
        case answer(TransactionResult)
        /// Another request, which has been sent.
        case again(OriginRequest)
    }

    /// Carries out what the head of a response, or the failure to get one, requires.
    func arrive(_ forwarded: OriginRequest, _ transaction: Transaction) throws(ClientError) -> Arrived {
        let exchange = forwarded.exchange
        let (reply, error) = reply(forwarded)
        let lookup = current(forwarded, reply)
        var metrics = TransactionMetrics(url: transaction.url, startedAt: forwarded.started)
        exchange.add(to: &metrics)
        // The cancellation or timeout of a leader applies to the leader only.
        let isOwn = error?.kind == .cancelled || error?.kind == .timedOut
        forwarded.leader?.flight.land(
            isOwn
                ? Flight.Arrival?.none
                : Flight.Arrival(reply: reply, version: metrics.version, error: error)
        )
        let settlement = settle(lookup.planned, reply)
        if case .unanswered = reply { invalidateAgain(settlement, lookup) }
        if error?.kind == .cancelled, let error {
            applyUnreported(settlement, lookup, forwarded.watch)
            throw ClientError(error, url: transaction.fullURL)
        }
        if case .retry(let again) = settlement.answer, !forwarded.isRetry {
            return .again(retry(forwarded, lookup, transaction, sending: again, settlement))
        }
        let outcome = Outcome(settlement: settlement, exchange: exchange, error: error, metrics: metrics)
        if error != nil || settlement.answer.isRejected {
            applyUnreported(settlement, lookup, forwarded.watch)
        }
        let answer = try answer(transaction, lookup, outcome)
        answer.pending = apply(timely(settlement.edits, forwarded), lookup, forwarded.watch, &answer.status)
        if let version = metrics.version { answer.pending?.version = version }
        if let pending = answer.pending?.stored {
            answer.leader = forwarded.leader
            // What is completed from stored and new parts is stored as their combination, not as the new part alone.
            if answer.status.ttl == nil {
                let stored = combined(pending, lookup)
                answer.status.ttl = .seconds(configuration.engine.remainingFreshness(of: stored, now: now))
            }
        }
        noteSharing(transaction, lookup, answer)
        return .answer(answer)
    }

    /// Returns a pending response as it is going to be stored: a part together with the response stored for its variant,
    /// which may have the fields about freshness that it lacks (RFC 9111 §3.4).
    private func combined(_ pending: StoredResponse, _ lookup: PlannedLookup) -> StoredResponse {
        guard pending.parts != nil, let old = lookup.entry(of: pending)?.entry.stored else { return pending }
        return switch joining(pending, to: old, isPrefix: false) {
        case .combine(let stored), .freshen(let stored), .replace(let stored): stored
        case .keep: pending
        }
    }

    /// Applies the edits of a settlement whose response the caller does not get: the request may have changed the origin
    /// nevertheless (RFC 9111 §4.4).
    private func applyUnreported(_ settlement: Settlement, _ lookup: PlannedLookup, _ watch: KeyWatch?) {
        if settlement.edits.isEmpty { return }
        var status = CacheStatus(key: lookup.planned.key.targetURI)
        _ = apply(settlement.edits, lookup, watch, &status)
    }

    /// Repeats the invalidation by an unsafe request without a response, some seconds later.
    ///
    /// The origin may still be carrying the request out. Until it has, others get the old state from it, and it is stored.
    private func invalidateAgain(_ settlement: Settlement, _ lookup: PlannedLookup) {
        guard store != nil, !settlement.edits.isEmpty,
            repeatedInvalidations.load(ordering: .relaxed) < Self.maximumRepeatedInvalidations
        else { return }
        repeatedInvalidations.add(1, ordering: .relaxed)
        // Without the entries, whose content would stay in memory.
        let lookup = PlannedLookup(planned: lookup.planned, entries: [], damage: [], at: lookup.moment)
        _ = clock.schedule(after: Self.repetitionDelay) { [weak self] in
            guard let self else { return }
            repeatedInvalidations.subtract(1, ordering: .relaxed)
            Task(executorPreference: transport.executor) {
                self.applyUnreported(settlement, lookup, nil)
            }
        }
    }

    /// Nearly all requests have been carried out by then, and what is stored meanwhile is not used for longer.
    private static let repetitionDelay = Duration.seconds(10)
    /// So that callers that leave at once cannot fill the memory.
    private static let maximumRepeatedInvalidations = 1_000

    private func retry(
        _ forwarded: OriginRequest,
        _ lookup: PlannedLookup,
        _ transaction: Transaction,
        sending request: HTTPRequest,
        _ settlement: Settlement
    ) -> OriginRequest {
        forwarded.exchange.discard()
        applyUnreported(settlement, lookup, forwarded.watch)
        // What was invalidated before does not concern the response to a request that is sent after that (RFC 9111 §4.4).
        let watch = watch(transaction, lookup)
        let current = current(forwarded, lookup)
        let again = PlannedLookup(
            planned: retried(current.planned, sending: request).adding(settlement.findings),
            entries: current.entries,
            damage: current.damage,
            at: current.moment
        )
        var next = depart(transaction, again, forwarded.leader, isRetry: true)
        next.watch = watch
        return next
    }

    /// Settles a reply; without a store there is nothing to decide about a response.
    private func settle(_ planned: PlannedRequest, _ reply: OriginReply) -> Settlement {
        if store == nil, case .response(let response, _, _) = reply,
            response.problem(answering: planned.sentRequest) == nil
        {
            return Settlement(answer: .origin(response), edits: [], findings: [])
        }
        return settled(planned, reply: reply)
    }

    private func reply(_ forwarded: OriginRequest) -> (OriginReply, TransportError?) {
        do throws(TransportError) {
            let (head, received) = try forwarded.exchange.head()
            return (.response(head, requestTime: forwarded.sent, responseTime: received), nil)
        } catch {
            return switch error.kind {
            case .badResponse, .cannotParse:
                (.rejected(requestTime: forwarded.sent, responseTime: now), error)
            case .timedOut, .connectionLost, .cancelled:
                (.unanswered(requestTime: forwarded.sent, responseTime: now), error)
            default: (.failure(requestTime: forwarded.sent, responseTime: now), error)
            }
        }
    }
}

extension CallerOutcome {
    fileprivate var isRejected: Bool { if case .rejected = self { true } else { false } }
}
