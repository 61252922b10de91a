import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// Asks the origin, or waits for an identical request that is asking it.
    nonisolated(nonsending) func ask(_ hop: Hop, _ looked: Looked) async throws(ClientError) -> HopAnswer {
        guard let key = flightKey(hop, looked) else {
            return try await lead(hop, looked, nil)
        }
        var patience: Patience?
        while true {
            let (flight, leads) = flights.join(key) { watch(hop, looked) }
            if leads {
                return try await lead(hop, looked, Departure(flights: flights, key: key, flight: flight))
            }
            let waiting = patience ?? Patience(hop.timeout, clock: clock)
            patience = waiting
            switch try await follow(flight, hop, looked, waiting) {
            case .answer(let answer): return answer
            case .alone: return try await lead(hop, looked, nil)
            case .again: continue
            }
        }
    }

    /// What requests must have in common to share an exchange; `nil` for one that shares none.
    ///
    /// The policies that insist on the origin insist on an exchange of their own.
    private func flightKey(_ hop: Hop, _ looked: Looked) -> FlightKey? {
        guard configuration.sharesExchanges, !hop.isStreamed, store != nil, hop.request.method == .get,
            hop.body == nil,
            hop.policy == .useProtocolCachePolicy || hop.policy == .returnCacheDataElseLoad,
            !hop.request.headerFields.contains(.range)
        else { return nil }
        return FlightKey(key: looked.planned.key, policy: hop.policy, fields: hop.request.headerFields)
    }

    /// Asks the origin.
    nonisolated(nonsending) private func lead(
        _ hop: Hop,
        _ looked: Looked,
        _ departure: Departure?
    ) async throws(ClientError) -> HopAnswer {
        let request: HTTPRequest
        switch looked.planned.plan {
        case .validate(let validation): request = validation.request
        case .forward(let forward): request = forward
        default: request = hop.request
        }
        return try await exchange(hop, looked, sending: request, departure, isRetry: false)
    }

    nonisolated(nonsending) private func exchange(
        _ hop: Hop,
        _ looked: Looked,
        sending request: HTTPRequest,
        _ departure: Departure?,
        isRetry: Bool
    ) async throws(ClientError) -> HopAnswer {
        var metrics = TransactionMetrics(url: hop.url, startedAt: clock.elapsed)
        let sent = now
        let watch = departure?.flight.watch ?? watch(hop, looked)
        let exchange = Exchange(
            clock: clock,
            timeout: hop.timeout,
            limit: hop.isStreamed ? ContentReader.limit : .max,
            observer: hop.observer
        )
        let (reply, error) = await reply(exchange, hop, request, sent)
        exchange.add(to: &metrics)
        // A leader that gives up speaks for itself only.
        let isOwn = error?.kind == .cancelled || error?.kind == .timedOut
        departure?.flight.land(isOwn ? nil : Flight.Arrival(reply: reply, error: error))
        let settlement = settle(looked.planned, reply)
        if error?.kind == .cancelled, let error { throw ClientError(error, url: hop.fullURL) }
        if case .retry(let again) = settlement.answer, !isRetry {
            exchange.discard()
            return try await self.exchange(hop, looked, sending: again, departure, isRetry: true)
        }
        let outcome = Outcome(settlement: settlement, exchange: exchange, error: error, metrics: metrics)
        let answer = try answer(hop, looked, outcome)
        answer.pending = apply(settlement.edits, looked, watch, &answer.status)
        if let pending = answer.pending?.stored {
            answer.departure = departure
            answer.status.ttl = configuration.engine.timeToLive(of: pending, now: now)
        }
        return answer
    }

    /// Without a store there is nothing to decide about a response.
    private func settle(_ planned: Planned, _ reply: OriginReply) -> Settlement {
        if store == nil, case .response(let response, _, _) = reply {
            return Settlement(answer: .origin(response), edits: [], findings: [])
        }
        return configuration.engine.settle(planned, reply: reply)
    }

    nonisolated(nonsending) private func reply(
        _ exchange: Exchange,
        _ hop: Hop,
        _ request: HTTPRequest,
        _ sent: HTTPDate
    ) async -> (OriginReply, TransportError?) {
        do throws(TransportError) {
            guard !Task.isCancelled else { throw TransportError(.cancelled, "The request was cancelled.") }
            guard isOnline else { throw TransportError(.offline, "The client is offline.") }
            exchange.begin(TransportRequest(head: request, body: hop.body), over: transport)
            let head = try await exchange.head()
            let received = HTTPDate(wallSeconds: exchange.headWallSeconds)
            return (.response(head, requestTime: sent, responseTime: received), nil)
        } catch {
            return (.failure(requestTime: sent, responseTime: now), error)
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
        case .validated(let stored, let response):
            outcome.exchange?.discard()
            answer = HopAnswer(
                hop.request,
                response,
                findings: findings,
                status: status,
                metrics: outcome.metrics
            )
            answer.source = .validated
            answer.stored = stored
            answer.content = content(looked.entry(of: stored), hop)
            answer.age = response.headerFields[.age].flatMap { Int64($0) }
            answer.status.ttl = configuration.engine.timeToLive(of: stored, now: now)
        case .stored(let reuse):
            outcome.exchange?.discard()
            answer = self.answer(hop, looked, reuse, status)
            answer.findings = findings
            answer.cause = outcome.error
        case .gatewayTimeout:
            outcome.exchange?.discard()
            status.detail = detail(outcome)
            answer = generated(hop, findings, status)
            answer.cause = outcome.error
        case .unanswered, .retry:
            outcome.exchange?.discard()
            let error =
                outcome.error
                ?? TransportError(.badResponse, "The origin's 304 confirms nothing that is stored.")
            throw ClientError(error, url: hop.fullURL, findings: findings)
        }
        answer.metrics.source = answer.source
        return answer
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
            case .freshen(let stored):
                status.isStored = store.freshen(stored, seen: looked.entry(of: stored)?.entry)
            case .invalidate(let key): invalidate(key, in: store)
            case .invalidateGroups(let origin, let groups): store.invalidate(groups: groups, of: origin)
            case .clear(let origin): store.removeAll(of: origin)
            case .remove(let key, let variant): store.remove(key, variant)
            }
        }
        return pending
    }
}
