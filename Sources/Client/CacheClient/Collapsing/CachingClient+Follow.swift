import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// The result of waiting for the exchange of another request.
    enum FollowOutcome {
        /// Its response also serves this request.
        case answer(TransactionResult)
        /// Its response cannot be shared: this request needs its own exchange.
        case alone
        /// Its leader has given up: another request must lead.
        case again
    }

    /// Waits for a flight and uses its response, if this request may (RFC 9111 §4).
    ///
    /// A response that may not be reused without asking the origin again is not shared: each waiting request then
    /// sends its own.
    nonisolated(nonsending) func follow(
        _ flight: Flight,
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        _ waitLimit: WaitLimit
    ) async throws(ClientError) -> FollowOutcome {
        let started = clock.elapsed
        let arrival = await flight.arrival(waitLimit)
        if let error = waitLimit.error { throw failure(error, transaction, lookup) }
        guard let arrival else { return .again }
        guard isShared(arrival, flight.fields, transaction) else { return .alone }
        // A waiting request gets the content only when it is stored, which would hold an incremental response back.
        if case .response(let head, _, _) = arrival.reply, head.headerFields.isIncremental {
            noteUncollapsible(after: arrival, transaction, lookup)
            return .alone
        }
        var metrics = TransactionMetrics(url: transaction.url, startedAt: started)
        if case .response(let head, _, _) = arrival.reply { metrics.status = head.status.code }
        metrics.headAt = clock.elapsed
        metrics.version = arrival.version
        let settlement = settled(lookup.planned, reply: arrival.reply)
        let outcome = Outcome(settlement: settlement, exchange: nil, error: arrival.error, metrics: metrics)
        guard let answer = try collapsedAnswer(transaction, lookup, outcome, arrival) else { return .alone }
        guard case .origin = settlement.answer else { return .answer(answer) }
        switch await flight.content(waitLimit) {
        case .arrived(let body, let isStored):
            answer.content = .stored(body)
            // RFC 9211 §3: by the other request.
            answer.status.isStored = isStored
            return .answer(answer)
        case .refused:
            noteUncollapsible(transaction, lookup)
            return .alone
        case nil:
            if let error = waitLimit.error { throw failure(error, transaction, lookup) }
            return .again
        }
    }

    /// Returns the error of a request whose wait for another's exchange is over.
    private func failure(_ error: TransportError, _ transaction: Transaction, _ lookup: PlannedLookup)
        -> ClientError
    {
        let planned = lookup.planned
        var status = CacheStatus(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        status.isCollapsed = true
        status.detail = error.detail
        return ClientError(error, url: transaction.fullURL, findings: planned.findings, cacheStatus: status)
    }

    /// Returns the response derived from another request's exchange; `nil` if this request needs its own exchange.
    private func collapsedAnswer(
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        _ outcome: Outcome,
        _ arrival: Flight.Arrival
    ) throws(ClientError) -> TransactionResult? {
        var reuse: Reuse?
        switch outcome.settlement.answer {
        case .origin, .validated, .completed:
            reuse = self.reuse(of: outcome.settlement, lookup)
            if reuse == nil { noteUncollapsible(after: arrival, transaction, lookup) }
            guard reuse?.isWhole == true else { return nil }
        case .retry: return nil
        default: break
        }
        let answer = try answer(transaction, lookup, outcome)
        answer.status.isCollapsed = true
        // As from the store: a response that may not be stored is only for the request that asked for it.
        if let reuse {
            answer.response = reuse.response
            answer.status.ttl = .seconds(reuse.lifetime - reuse.age)
        }
        return answer
    }

    /// Whether a response to the leader's fields would, once stored, be selected by this request (§4.1).
    ///
    /// A 304 or a 206 to other fields does not show what this request would have had confirmed or completed.
    private func isShared(_ arrival: Flight.Arrival, _ fields: HTTPFields, _ transaction: Transaction) -> Bool
    {
        let own = transaction.request.headerFields
        if fields.hasSameBytes(as: own) { return true }
        guard case .response(let head, _, _) = arrival.reply else { return true }
        guard head.status != .notModified, head.status != .partialContent else { return false }
        let vary = Vary(of: head.headerFields)
        return !vary.neverMatches && vary.variant(of: fields) == vary.variant(of: own)
    }

    /// Returns the use of the response that the settlement stores, if it answers the request without another exchange;
    /// otherwise `nil`.
    private func reuse(of settlement: Settlement, _ lookup: PlannedLookup) -> Reuse? {
        for edit in settlement.edits {
            switch edit {
            case .put(let stored), .freshen(let stored), .putAlias(let stored):
                return reuse(of: stored, lookup)
            default: continue
            }
        }
        return nil
    }

    /// Returns the use of a response that has just been stored; `nil` if it does not answer the request, or if another
    /// that was stored when the request arrived has a later Date (§4).
    private func reuse(of stored: StoredResponse, _ lookup: PlannedLookup) -> Reuse? {
        // An alias can only be used together with the entry that has its content.
        let source = stored.isAlias ? lookup.content(of: stored)?.entry.stored : nil
        var newer = lookup.planned.stored.filter { $0.date > stored.date && $0.variant != stored.variant }
        newer += newer.compactMap { $0.isAlias ? lookup.content(of: $0)?.entry.stored : nil }
        let plan = plan(
            lookup.planned.request,
            key: stored.key,
            policy: lookup.planned.policy,
            stored: [stored] + (source.map { [$0] } ?? []) + newer,
            now: now
        ).plan
        guard case .serve(let reuse) = plan, reuse.revalidation == nil,
            reuse.stored.variant == stored.variant
        else { return nil }
        return reuse
    }

    /// Validates a stored response that is being served stale (RFC 5861 §3).
    func validateInBackground(
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        _ stored: StoredResponse,
        _ validation: Validation
    ) {
        let lookup = lookup.validating(validation)
        var transaction = transaction
        // The caller reads the stale response; this one has no reader, but is stored as it arrives.
        transaction.isStreamed = true
        transaction.observer = nil
        transaction.deadline = nil
        background.start(
            .init(key: lookup.planned.key, variant: stored.variant),
            executor: transport.executor
        ) {
            [transaction] in
            // Another validation may have ended between the lookup that found the response stale and this one's start.
            if self.look(transaction).isFresh(stored) { return }
            do throws(ClientError) {
                let answer = try await self.ask(transaction, lookup, inBackground: true)
                await Load(transaction, client: self).keepWithoutDelivering(answer)
            } catch {
                // The stale response stays until it is requested again; there is no caller to report to.
            }
        }
    }
}
