import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    /// Asks the origin, or waits for an identical request that is already asking it.
    nonisolated(nonsending) func ask(_ hop: Hop, _ looked: PlannedLookup) async throws(ClientError)
        -> HopAnswer
    {
        var patience: WaitLimit?
        while true {
            switch join(hop, looked) {
            case .leads(let departure):
                var round = depart(hop, looked, departure)
                round.hasWaited = patience != nil
                return try await exchange(round, hop)
            case .follows(let flight):
                let waiting = patience ?? WaitLimit(hop.timeout, clock: clock)
                patience = waiting
                switch try await follow(flight, hop, looked, waiting) {
                case .answer(let answer): return answer
                case .alone:
                    var round = depart(hop, looked, nil)
                    round.hasWaited = true
                    return try await exchange(round, hop)
                case .again: continue
                }
            }
        }
    }

    /// Asks the origin without suspending; `nil` if an identical request is already asking it.
    func askAtOnce(_ hop: Hop, _ looked: PlannedLookup) -> Round? {
        guard case .leads(let departure) = join(hop, looked) else { return nil }
        return depart(hop, looked, departure, at: looked.moment)
    }

    /// The role of a request in a flight.
    private enum Part {
        /// Asks the origin, for others too if there is a leader.
        case leads(FlightLeader?)
        case follows(Flight)
    }

    private func join(_ hop: Hop, _ looked: PlannedLookup) -> Part {
        guard let key = flightKey(hop, looked), !goesAlone(hop, looked) else { return .leads(nil) }
        let (flight, leads) = flights.join(key, hop.request.headerFields) { watch(hop, looked) }
        return leads ? .leads(FlightLeader(flights: flights, key: key, flight: flight)) : .follows(flight)
    }

    /// Returns what requests must have in common to wait for one exchange; `nil` for a request that shares none.
    ///
    /// A request that insists on the origin insists on its own exchange, and so does one that wants nothing stored.
    func flightKey(_ hop: Hop, _ looked: PlannedLookup) -> FlightKey? {
        guard configuration.sharesExchanges, store != nil, hop.request.method == .get,
            !hop.hasContent,
            hop.policy == .useProtocolCachePolicy || hop.policy == .returnCacheDataElseLoad,
            !hop.request.headerFields.contains(.range), !hop.request.insistsOnOrigin
        else { return nil }
        // Bytes that complete the stored parts of one request are of no use to another that has stored other parts.
        if case .complete = looked.planned.plan { return nil }
        return FlightKey(key: looked.planned.key, policy: hop.policy)
    }

    /// Sends the planned request, now or just after `sent`.
    private func depart(
        _ hop: Hop,
        _ looked: PlannedLookup,
        _ departure: FlightLeader?,
        at sent: HTTPDate? = nil
    ) -> Round {
        let request = looked.planned.sentRequest
        return depart(hop, looked, sending: request, departure, at: sent ?? now, isRetry: false)
    }

    /// Sends `request` in place of the planned one.
    func depart(
        _ hop: Hop,
        _ looked: PlannedLookup,
        sending request: HTTPRequest,
        _ departure: FlightLeader?,
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

    /// Waits for the head of a round, and of the rounds that it leads to.
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
}
