import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// Asks the origin, or waits for an identical request that is asking it.
    nonisolated(nonsending) func ask(_ hop: Hop, _ looked: Looked) async throws(ClientError) -> HopAnswer {
        var patience: Patience?
        while true {
            switch join(hop, looked) {
            case .leads(let departure): return try await exchange(depart(hop, looked, departure), hop)
            case .follows(let flight):
                let waiting = patience ?? Patience(hop.timeout, clock: clock)
                patience = waiting
                switch try await follow(flight, hop, looked, waiting) {
                case .answer(let answer): return answer
                case .alone: return try await exchange(depart(hop, looked, nil), hop)
                case .again: continue
                }
            }
        }
    }

    /// Asks the origin without suspending; `nil` where an identical request is asking it.
    func askAtOnce(_ hop: Hop, _ looked: Looked) -> Round? {
        guard case .leads(let departure) = join(hop, looked) else { return nil }
        return depart(hop, looked, departure, at: looked.moment)
    }

    /// A request's part in a flight.
    private enum Part {
        /// Asks the origin, for others too where there is a departure.
        case leads(Departure?)
        case follows(Flight)
    }

    private func join(_ hop: Hop, _ looked: Looked) -> Part {
        guard let key = flightKey(hop, looked), !goesAlone(hop, looked) else { return .leads(nil) }
        let (flight, leads) = flights.join(key, hop.request.headerFields) { watch(hop, looked) }
        return leads ? .leads(Departure(flights: flights, key: key, flight: flight)) : .follows(flight)
    }

    /// What requests must have in common to wait for one exchange; `nil` for one that shares none.
    ///
    /// Who insists on the origin insists on an exchange of its own, and so does who wants nothing stored.
    func flightKey(_ hop: Hop, _ looked: Looked) -> FlightKey? {
        guard configuration.sharesExchanges, store != nil, hop.request.method == .get,
            !hop.hasContent,
            hop.policy == .useProtocolCachePolicy || hop.policy == .returnCacheDataElseLoad,
            !hop.request.headerFields.contains(.range), !hop.request.insistsOnOrigin
        else { return nil }
        // What one adds to stored parts is of no use for another who has stored others.
        if case .complete = looked.planned.plan { return nil }
        return FlightKey(key: looked.planned.key, policy: hop.policy)
    }

    /// Sends what is planned, now or just after the time that is given.
    private func depart(
        _ hop: Hop,
        _ looked: Looked,
        _ departure: Departure?,
        at sent: HTTPDate? = nil
    ) -> Round {
        let request = looked.planned.sentRequest
        return depart(hop, looked, sending: request, departure, at: sent ?? now, isRetry: false)
    }

    private func depart(
        _ hop: Hop,
        _ looked: Looked,
        sending request: HTTPRequest,
        _ departure: Departure?,
        at sent: HTTPDate,
        isRetry: Bool
    ) -> Round {
        let started = clock.elapsed
        let exchange = Exchange(
            clock: clock,
            timeout: hop.timeout,
            limit: hop.isStreamed ? ContentReader.limit : .max,
            observer: hop.observer,
            at: started
        )
        var round = Round(
            exchange: exchange,
            looked: looked,
            departure: departure,
            watch: departure?.flight.watch ?? watch(hop, looked),
            started: started,
            sent: sent,
            isRetry: isRetry
        )
        if let problem {
            exchange.receive(end: .failure(problem))
        } else {
            var request = TransportRequest(head: request, body: hop.body)
            request.addresses = hop.addresses
            round.isOver = exchange.begin(request, over: transport, at: started)
        }
        return round
    }

    /// Why nothing can be sent.
    private var problem: TransportError? {
        if Task.isCancelled { return TransportError(.cancelled, "The request was cancelled.") }
        return isOnline ? nil : TransportError(.offline, "The client is offline.")
    }

    /// Waits for the head.
    nonisolated(nonsending) func exchange(_ round: Round, _ hop: Hop) async throws(ClientError) -> HopAnswer {
        var round = round
        while true {
            await round.exchange.waitForHead()
            switch try arrive(round, hop) {
            case .answer(let answer): return answer
            case .again(let next): round = next
            }
        }
    }

    /// What the head of a round leads to.
    enum Arrived {
        case answer(HopAnswer)
        /// Another request, which is sent.
        case again(Round)
    }

    /// Does what the head asks for, or the failure, which has come.
    func arrive(_ round: Round, _ hop: Hop) throws(ClientError) -> Arrived {
        let (looked, exchange) = (round.looked, round.exchange)
        let (reply, error) = reply(round)
        var metrics = TransactionMetrics(url: hop.url, startedAt: round.started)
        exchange.add(to: &metrics)
        // A leader that gives up speaks for itself only.
        let isOwn = error?.kind == .cancelled || error?.kind == .timedOut
        round.departure?.flight.land(
            isOwn ? Flight.Arrival?.none : Flight.Arrival(reply: reply, error: error)
        )
        let settlement = settle(looked.planned, reply)
        if error?.kind == .cancelled, let error { throw ClientError(error, url: hop.fullURL) }
        if case .retry(let again) = settlement.answer, !round.isRetry {
            return .again(retry(round, hop, sending: again, settlement))
        }
        let outcome = Outcome(settlement: settlement, exchange: exchange, error: error, metrics: metrics)
        let answer = try answer(hop, looked, outcome)
        answer.pending = apply(settlement.edits, looked, round.watch, &answer.status)
        if let pending = answer.pending?.stored {
            answer.departure = round.departure
            answer.status.ttl = configuration.engine.timeToLive(of: pending, now: now)
        }
        noteSharing(hop, looked, answer)
        return .answer(answer)
    }

    private func retry(
        _ round: Round,
        _ hop: Hop,
        sending request: HTTPRequest,
        _ settlement: Settlement
    ) -> Round {
        round.exchange.discard()
        let looked = round.looked
        var status = CacheStatus(key: looked.planned.key.targetURI)
        _ = apply(settlement.edits, looked, round.watch, &status)
        let planned = retried(looked.planned, sending: request).adding(settlement.findings)
        let again = Looked(
            planned: planned,
            entries: looked.entries,
            damage: looked.damage,
            at: looked.moment
        )
        return depart(hop, again, sending: request, round.departure, at: now, isRetry: true)
    }

    /// Without a store there is nothing to decide about a response.
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
            let isRejected = error.kind == .badResponse
            return isRejected
                ? (.rejected(requestTime: round.sent, responseTime: now), error)
                : (.failure(requestTime: round.sent, responseTime: now), error)
        }
    }

    /// What is known when a settlement is carried out.
    struct Outcome {
        let settlement: Settlement
        /// `nil` for somebody else's.
        let exchange: Exchange?
        let error: TransportError?
        let metrics: TransactionMetrics
    }

    /// Turns a settlement into an answer.
    func answer(_ hop: Hop, _ looked: Looked, _ outcome: Outcome) throws(ClientError) -> HopAnswer {
        let planned = looked.planned
        let news = outcome.settlement.findings
        let findings = news.isEmpty ? planned.findings : planned.findings + news
        var status = CacheStatus(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        status.forwardStatus = outcome.metrics.status
        status.isStored = false
        // Why what was stored did not answer.
        status.detail = looked.damage.first?.description ?? unusedReply(planned)
        let answer: HopAnswer
        switch outcome.settlement.answer {
        case .origin(let response):
            answer = HopAnswer(
                hop.request,
                response,
                findings: findings,
                status: status,
                metrics: outcome.metrics
            )
            answer.source = .origin
            if let exchange = outcome.exchange { answer.content = .live(exchange) }
        case .validated(let reuse, let response):
            outcome.exchange?.discard()
            answer = HopAnswer(
                hop.request,
                response,
                findings: findings,
                status: status,
                metrics: outcome.metrics
            )
            answer.source = .validated
            answer.stored = reuse.stored
            answer.content = content(looked.content(of: reuse.stored), hop, reuse)
            answer.age = reuse.age
            answer.status.ttl = reuse.lifetime - reuse.age
        case .completed(let completion):
            answer = HopAnswer(
                hop.request,
                completion.response,
                findings: findings,
                status: status,
                metrics: outcome.metrics
            )
            answer.source = .origin
            answer.stored = completion.stored
            answer.content = content(completion, looked, outcome.exchange)
            answer.arriving = completion.arriving.map { Int($0.count) }
            answer.status.ttl = completion.lifetime - completion.age
        case .stored(let reuse):
            outcome.exchange?.discard()
            answer = self.answer(hop, looked, reuse, status)
            answer.findings = findings
            answer.cause = outcome.error
        case .gatewayTimeout:
            outcome.exchange?.discard()
            status.detail = detail(outcome) ?? status.detail
            answer = generated(hop, findings, status)
            answer.cause = outcome.error
        case .rejected(let reason):
            throw failure(outcome, hop, findings, status, TransportError(.badResponse, reason))
        case .unanswered, .retry:
            let other = TransportError(.badResponse, "The origin's 304 confirms nothing that is stored.")
            throw failure(outcome, hop, findings, status, other)
        }
        answer.metrics.source = answer.source
        return answer
    }

    /// The error of an exchange that brings the caller nothing; `other` where the transport had none.
    private func failure(
        _ outcome: Outcome,
        _ hop: Hop,
        _ findings: [Finding],
        _ status: CacheStatus,
        _ other: TransportError
    ) -> ClientError {
        outcome.exchange?.discard()
        let error = outcome.error ?? other
        var status = status
        status.detail = error.detail
        return ClientError(error, url: hop.fullURL, findings: findings, cacheStatus: status)
    }

    /// Why the origin was asked once more after a 304; `nil` where it was not.
    private func unusedReply(_ planned: Planned) -> String? {
        planned.findings.last { $0.rule == .freshenNone }?.detail
    }

    /// Stored bytes around those that arrive.
    private func content(_ completion: Completion, _ looked: Looked, _ exchange: Exchange?)
        -> HopAnswer.Content
    {
        guard let exchange, let entry = looked.content(of: completion.stored)?.entry else { return .none }
        return .composed(
            completion.pieces.compactMap { piece in
                switch piece {
                case .stored(let range): .stored(range, of: completion.stored, entry.body)
                case .arriving: .live(exchange)
                }
            }
        )
    }

    /// Why a stored response was not used in place of the origin's, and why that did not come.
    private func detail(_ outcome: Outcome) -> String? {
        let reasons = [outcome.settlement.findings.last { !$0.held }?.detail, outcome.error?.detail]
        return reasons.contains { $0 != nil } ? reasons.compactMap(\.self).joined(separator: "; ") : nil
    }

    /// Carries out what can be done now; returns what is to be stored when the content is complete.
    private func apply(
        _ edits: [StoreEdit],
        _ looked: Looked,
        _ watch: KeyWatch?,
        _ status: inout CacheStatus
    ) -> PendingResponse? {
        guard let store else { return nil }
        var pending: PendingResponse?
        // What an unsafe request invalidates itself says nothing against its own response (RFC 9110 §9.3.3).
        let isPosted = looked.planned.request.method == .post && watch?.isInvalidated == false
        for edit in edits {
            switch edit {
            case .put(let stored):
                let seen = looked.entry(of: stored)?.entry.stored
                let watch = isPosted ? store.watch(stored.key) : watch
                pending = PendingResponse(stored: stored, seen: seen, watch: watch)
            case .putSeparated(let stored, let ranges):
                pending = PendingResponse(
                    stored: stored,
                    seen: looked.entry(of: stored)?.entry.stored,
                    watch: watch,
                    ranges: ranges
                )
            case .freshen(let stored):
                let seen = looked.entry(of: stored)?.entry
                let isFreshened = freshen(stored, seen: seen, watch, in: store)
                // What is only marked as outdated is not stored (RFC 9211 §2.5).
                status.isStored = isFreshened && !stored.isInvalidated
            case .putAlias(let stored): status.isStored = keep(alias: stored, looked, watch)
            case .invalidate(let key): status.note(invalidate(key, in: store))
            case .invalidateGroups(let origin, let groups):
                status.note(store.invalidate(groups: groups, of: origin))
            case .clear(let origin): status.note(store.removeAll(of: origin))
            case .remove(let key, let variant):
                guard isStill(looked, variant, in: store) else { continue }
                status.note(store.remove(key, variant))
            }
        }
        return pending
    }
}
