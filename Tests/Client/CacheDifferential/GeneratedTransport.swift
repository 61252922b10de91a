import CacheClient
import CacheOracle
import Clocks
import HTTPTypes
import Locks

/// Carries requests to the origin of a sequence, on the thread that asks.
final class GeneratedTransport: Transport {
    let serial = SerialExecutor()
    let state: Lock<SequenceState>
    /// The receivers of the exchanges under way.
    private let receivers = Lock([Int: any TransportReceiver]())
    private let clock: VirtualClock

    init(_ sequence: ExchangeSequence, clock: VirtualClock) {
        state = Lock(SequenceState(sequence))
        self.clock = clock
    }

    var executor: (any TaskExecutor)? { serial }

    /// Local time in whole seconds.
    var now: Int { Int(clock.wallSeconds) }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        let now = now
        let held = state.withLock { state in
            let held = state.forward(OracleRequest(request), at: now)
            receivers.withLock { $0[held.exchange] = receiver }
            if state.isHolding { state.held.append(held) }
            return state.isHolding ? nil : held
        }
        if let held { answer(held, atOnce: true) }
        return FinishedExchange()
    }

    /// Answers a request, after its delay.
    func answer(_ held: HeldRequest, atOnce: Bool) {
        guard let receiver = receivers.withLock({ $0.removeValue(forKey: held.exchange) }) else { return }
        if held.answer.delay > 0 { clock.advance(by: .seconds(held.answer.delay)) }
        let now = now
        guard let response = state.withLock({ $0.answer(held, at: now) }) else {
            let error = TransportError(.connectionLost, "The origin closed the connection.")
            return receiver.receive(end: .failure(error))
        }
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: response.status),
            headerFields: HTTPFields(response.fields)
        )
        if atOnce {
            let rest = TransportRest(head: head, piece: response.content, end: .success(TransportEnd()))
            return receiver.receive(rest: rest)
        }
        receiver.receive(head: head)
        if !response.content.isEmpty { _ = receiver.receive(piece: response.content) }
        receiver.receive(end: .success(TransportEnd()))
    }
}

/// An exchange that needs no attention: its origin is in the same process.
private final class FinishedExchange: TransportExchange {
    func resume() {}
    func cancel() {}
}
