import CacheDifferential
import CacheOracle
import CLibrary
import Locks
import TestSupport

/// One sequence against a cache outside this process, in real time.
final class PeerRun: Sendable {
    private struct State {
        var sequence: SequenceState
        /// Whether an event came so near to the end of a second that the cache may have seen another.
        var isLate = false
        /// Exchanges under way.
        var open = 0
        /// Requests that the cache refused.
        var refused = 0
    }
    let seed: UInt64
    let sequence: ExchangeSequence
    private let clock: PeerClock
    private let state: Lock<State>

    init(seed: UInt64, _ sequence: ExchangeSequence, _ clock: PeerClock) {
        (self.seed, self.sequence, self.clock) = (seed, sequence, clock)
        state = Lock(State(sequence: SequenceState(sequence)))
    }

    /// The first segment of its paths.
    var place: String { "s\(seed)" }

    /// The result; `nil` if it was late.
    var result: SequenceResult? { state.withLock { $0.isLate ? nil : $0.sequence.result } }

    /// The number of requests that the cache refused.
    var refused: Int { state.withLock { $0.refused } }

    /// Whether a sequence can be run in real time: one request at a time, forwards, within `limit` seconds.
    static func canRun(_ sequence: ExchangeSequence, within limit: Int) -> Bool {
        var total = 0
        for step in sequence.steps {
            switch step {
            case .advance(let seconds):
                guard seconds >= 0 else { return false }
                total += seconds
            case .calls(let calls, _):
                guard calls.count == 1 else { return false }
                total += calls.flatMap(\.answers).map(\.delay).reduce(0, +)
            }
        }
        return total <= limit
    }

    /// Runs the steps on the calling thread.
    func run(port: Int) {
        var moment = Double(ExchangeSequence.start) + 0.3
        var number = 0
        clock.wait(until: moment)
        for step in sequence.steps {
            switch step {
            case .advance(let seconds):
                moment = max(moment + Double(seconds), moment)
                clock.wait(until: moment)
                state.withLock { $0.sequence.result.note(.advanced(seconds)) }
            case .calls(let calls, _):
                for call in calls {
                    number += 1
                    ask(call, number, port)
                }
                // What the call took, in whole seconds, has passed for all that follow.
                moment += max(0, (clock.seconds - moment).rounded(.down))
            }
        }
    }

    private func now() -> Int {
        guard let second = clock.second else {
            state.withLock { $0.isLate = true }
            return Int(clock.seconds)
        }
        return second
    }

    private func ask(_ call: Call, _ number: Int, _ port: Int) {
        var request = call.request
        request.fields["x-step"] = "\(number)"
        let sent = now()
        state.withLock {
            $0.sequence.result.note(.arrived([number], [request]))
            $0.sequence.arrive(number, request, call.answers, at: sent)
        }
        let delivery = fetch(request, port)
        let received = now()
        state.withLock { state in
            if let delivery {
                state.sequence.deliver(number, delivery, at: received)
            } else {
                state.refused += 1
            }
        }
        // A validation in the background ends before the next step.
        for _ in 0..<40 {
            PeerClock.wait(for: 0.05)
            if state.withLock({ $0.open == 0 }) { return }
        }
    }

    private static let added: Set = [
        "x-cache", "x-cache-lookup", "server", "proxy-connection", "date-received",
    ]

    /// Returns the response of the cache; `nil` if the cache itself refuses the request, as some do with content of GET.
    private func fetch(_ request: OracleRequest, _ port: Int) -> Delivery? {
        do {
            let client = try RawClient(port: port)
            let path = request.target.dropFirst("http://origin.test".utf8.count)
            let asked = ["Connection: close"] + request.fields.lines.map { "\($0.name): \($0.value)" }
            try client.request(
                request.method,
                "/" + place + path,
                asked,
                body: request.hasContent ? "content" : ""
            )
            let response = try client.response(toHead: request.method == "HEAD")
            let lines = response.fields.filter { !Self.added.contains($0.name.lowercased()) }
            let fields = FieldSection(lines.map { ($0.name, $0.value) })
            if fields["x-exchange"] == nil, response.status >= 400 {
                return response.status < 500 ? nil : .failure
            }
            return .response(OracleResponse(status: response.status, fields: fields, content: response.body))
        } catch {
            return .failure
        }
    }

    /// Returns the origin's response to a request of the cache.
    func respond(to request: OracleRequest) -> OracleResponse? {
        let arrived = now()
        let held = state.withLock { state in
            state.open += 1
            return state.sequence.forward(request, at: arrived)
        }
        if held.answer.delay > 0 { clock.wait(until: clock.seconds + Double(held.answer.delay)) }
        let answered = now()
        return state.withLock { state in
            state.open -= 1
            return state.sequence.answer(held, at: answered)
        }
    }
}
