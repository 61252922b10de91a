import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// Sends the request to the origin, or waits for an identical request that is already under way.
    ///
    /// In the background, a response that may be served stale is also validated.
    nonisolated(nonsending) func ask(
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        inBackground: Bool = false
    ) async throws(ClientError) -> TransactionResult {
        var (lookup, waitLimit, isAlone) = (lookup, WaitLimit?.none, false)
        while true {
            switch isAlone ? .leads(nil) : join(transaction, lookup) {
            case .leads(let leader):
                let answer = try await exchange(depart(transaction, lookup, leader), transaction)
                if waitLimit != nil { answer.status.isCollapsed = false }
                return answer
            case .follows(let flight):
                let waiting =
                    waitLimit ?? WaitLimit(transaction.timeout, until: transaction.deadline, clock: clock)
                waitLimit = waiting
                switch try await follow(flight, transaction, lookup, waiting) {
                case .answer(let answer): return answer
                case .alone: isAlone = true
                case .again: break
                }
                // What has been stored meanwhile may answer the request, or is what a validation asks about (RFC 9111 §4).
                lookup = look(transaction)
                if inBackground, let validation = lookup.revalidation {
                    lookup = lookup.validating(validation)
                } else if let answer = try answerAtOnce(transaction, lookup) {
                    return answer
                }
            }
        }
    }

    /// Sends the request to the origin without suspending; `nil` if an identical request is already under way.
    func askAtOnce(_ transaction: Transaction, _ lookup: PlannedLookup) -> OriginRequest? {
        guard case .leads(let leader) = join(transaction, lookup) else { return nil }
        return depart(transaction, lookup, leader, at: lookup.moment)
    }

    /// The role of a request in a flight.
    private enum Part {
        /// Asks the origin, for others too if there is a leader.
        case leads(FlightLeader?)
        case follows(Flight)
    }

    private func join(_ transaction: Transaction, _ lookup: PlannedLookup) -> Part {
        guard let key = collapsingKey(transaction, lookup), !bypassesCollapsing(transaction, lookup) else {
            return .leads(nil)
        }
        let (flight, leads) = flights.join(key, transaction.request.headerFields) {
            watch(transaction, lookup)
        }
        return leads ? .leads(FlightLeader(flights: flights, key: key, flight: flight)) : .follows(flight)
    }

    /// Returns the properties that requests must have in common to wait for one exchange; `nil` for a request that shares
    /// none.
    ///
    /// Requests with no-cache or no-store are not collapsed.
    func collapsingKey(_ transaction: Transaction, _ lookup: PlannedLookup) -> FlightKey? {
        guard configuration.collapsesRequests, store != nil, transaction.request.method == .get,
            !transaction.hasContent, !transaction.isUncacheable, transaction.isCollapsible,
            transaction.policy == .useProtocolCachePolicy || transaction.policy == .returnCacheDataElseLoad,
            !transaction.request.headerFields.contains(.range), !transaction.request.insistsOnOrigin
        else { return nil }
        // Bytes that complete the stored parts of one request cannot be used by another that has stored other parts.
        if case .complete = lookup.planned.plan { return nil }
        return FlightKey(key: lookup.planned.key, policy: transaction.policy)
    }

    /// Sends the planned request, now or just after `sent`.
    func depart(
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        _ leader: FlightLeader?,
        at sent: HTTPDate? = nil,
        isRetry: Bool = false
    ) -> OriginRequest {
        let started = clock.elapsed
        let limits =
            transaction.isStreamed
            ? Exchange.Limits(unread: ContentReader.limit)
            : Exchange.Limits(total: configuration.contentLimit)
        let exchange = Exchange(
            clock: clock,
            timeout: transaction.timeout,
            deadline: transaction.deadline,
            limits: limits,
            observer: transaction.observer,
            at: started
        )
        leader?.flight.begin(exchange)
        var forwarded = OriginRequest(
            exchange: exchange,
            lookup: lookup,
            leader: leader,
            watch: leader?.flight.watch ?? watch(transaction, lookup),
            started: started,
            sent: sent ?? now,
            isRetry: isRetry
        )
        if let problem {
            exchange.receive(end: .failure(problem))
        } else {
            var request = TransportRequest(head: lookup.planned.sentRequest, body: transaction.body)
            request.addresses = transaction.addresses
            request.connectTimeout = transaction.connectTimeout
            forwarded.isFinished = exchange.begin(request, over: transport, at: started)
        }
        return forwarded
    }

    /// The reason why nothing can be sent.
    private var problem: TransportError? {
        if Task.isCancelled { return .requestCancelled }
        return networkAccess.failure
    }

    /// Waits for the response to a forwarded request, and to those that it leads to.
    nonisolated(nonsending) func exchange(_ forwarded: OriginRequest, _ transaction: Transaction)
        async throws(ClientError)
        -> TransactionResult
    {
        var forwarded = forwarded
        while true {
            await forwarded.exchange.waitForHead()
            switch try arrive(forwarded, transaction) {
            case .answer(let answer): return answer
            case .again(let next): forwarded = next
            }
        }
    }
}
