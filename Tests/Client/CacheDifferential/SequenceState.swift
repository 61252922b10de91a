import CacheClient
import CacheOracle

/// A request that the cache forwarded and that the origin has not answered.
struct HeldRequest {
    let exchange: Int
    let call: Int
    let request: OracleRequest
    let answer: Answer
    let receiver: any TransportReceiver
}

/// The state of a run: origin, oracle, and what is under way.
struct SequenceState {
    var oracle: CacheOracle
    var origin: GeneratedOrigin
    var result = SequenceResult()
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

    init(_ sequence: ExchangeSequence) {
        oracle = CacheOracle(OracleConfiguration(isShared: sequence.isShared))
        origin = GeneratedOrigin(sequence.resources)
    }

    mutating func arrive(_ call: Int, _ request: OracleRequest, _ answers: [Answer], at now: Int) {
        oracle.arrive(call, request, at: now)
        self.answers[call] = answers
        waiting.insert(call)
    }

    /// Notes a request that the cache forwards.
    mutating func forward(_ request: OracleRequest, at now: Int, _ receiver: any TransportReceiver)
        -> HeldRequest
    {
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
        return HeldRequest(
            exchange: exchanges,
            call: call,
            request: request,
            answer: left.first ?? Answer(),
            receiver: receiver
        )
    }

    /// Answers a request.
    mutating func answer(_ held: HeldRequest, at now: Int) -> OracleResponse? {
        let response = origin.respond(to: held.request, with: held.answer, exchange: held.exchange, at: now)
        result.events.append(
            .answered(exchange: held.exchange, at: now, delay: held.answer.delay, response)
        )
        oracle.answer(held.exchange, response, at: now)
        return response
    }

    mutating func deliver(_ call: Int, _ delivery: Delivery, at now: Int) {
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
