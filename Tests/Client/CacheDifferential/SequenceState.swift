package import CacheOracle

/// A request that the cache forwarded and that the origin has not answered.
package struct HeldRequest: Sendable {
    package let exchange: Int
    package let call: Int
    package let request: OracleRequest
    package let answer: Answer
    /// The response, if it was composed when the request arrived.
    let early: OracleResponse?
}

/// The state of a run: origin, oracle, and what is under way.
package struct SequenceState {
    var oracle: CacheOracle
    var origin: GeneratedOrigin
    package var result = SequenceResult()
    /// The answers of each call that are left, the last of which is repeated.
    var answers: [Int: [Answer]] = [:]
    /// Calls without a response.
    var waiting: Set<Int> = []
    /// Calls that caused an exchange.
    var forwarded: Set<Int> = []
    var held: [HeldRequest] = []
    /// Whether requests are held until all calls of the step have arrived.
    var isHolding = false
    var exchanges = 0

    package init(_ sequence: ExchangeSequence) {
        oracle = CacheOracle(OracleConfiguration(isShared: sequence.isShared))
        origin = GeneratedOrigin(sequence.resources)
    }

    package mutating func arrive(_ call: Int, _ request: OracleRequest, _ answers: [Answer], at now: Int) {
        oracle.arrive(call, request, at: now)
        self.answers[call] = answers
        waiting.insert(call)
    }

    /// Notes a request that the cache forwards.
    package mutating func forward(_ request: OracleRequest, at now: Int) -> HeldRequest {
        exchanges += 1
        let call = request.fields["x-step"].flatMap(Int.init) ?? -1
        let left = answers[call] ?? []
        if left.count > 1 { answers[call]?.removeFirst() }
        forwarded.insert(call)
        result.events.append(.forwarded(exchange: exchanges, call: call, request))
        note(
            "exchange \(exchanges) of call \(call)",
            oracle.forward(exchanges, cause: call, request, at: now)
        )
        let answer = left.first ?? Answer()
        return HeldRequest(
            exchange: exchanges,
            call: call,
            request: request,
            answer: answer,
            early: answer.isComposedEarly
                ? origin.respond(to: request, with: answer, exchange: exchanges, at: now) : nil
        )
    }

    /// Answers a request.
    package mutating func answer(_ held: HeldRequest, at now: Int) -> OracleResponse? {
        let response =
            held.early
            ?? origin.respond(to: held.request, with: held.answer, exchange: held.exchange, at: now)
        result.events.append(
            .answered(exchange: held.exchange, at: now, delay: held.answer.delay, response)
        )
        oracle.answer(held.exchange, response, at: now, held: isHolding)
        return response
    }

    package mutating func deliver(_ call: Int, _ delivery: Delivery, at now: Int) {
        waiting.remove(call)
        result.delivered += 1
        if !forwarded.contains(call), case .response = delivery { result.reused += 1 }
        result.events.append(.delivered(call: call, delivery))
        note("call \(call)", oracle.deliver(call, delivery, at: now))
    }

    private mutating func note(_ event: String, _ reasons: [String]) {
        if !reasons.isEmpty { result.disagreements.append(.init(event: event, reasons: reasons)) }
    }
}
