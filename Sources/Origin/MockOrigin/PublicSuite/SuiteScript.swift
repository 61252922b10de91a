import Clocks
import HTTPServing
import Locks
import OriginScript

/// The origin's side of one test of the public suite: its elements and its record.
final class SuiteScript: Sendable {
    private struct State {
        var elements: [ElementScript]
        /// Elements that were answered, so that their values are fixed.
        var served: Set<Int> = []
        var recorded: [StateEntry] = []
    }
    /// The limit of recorded requests, which no real test reaches.
    private static let recordLimit = 10_000
    private let id: String
    private let dialect: SuiteDialect
    private let clock: any TimeSource
    private let state: Lock<State>

    init(id: String, elements: [ElementScript], dialect: SuiteDialect, clock: any TimeSource) {
        self.id = id
        self.dialect = dialect
        self.clock = clock
        state = Lock(State(elements: elements))
    }

    /// The recorded requests, in order.
    var recorded: [StateEntry] { state.withLock { $0.recorded } }

    /// Returns the reply to a request; parts that depend on the clock and the record are decided after the element's
    /// pause.
    func reply(to request: ServedRequest) -> ComposedReply {
        let number = request.fields.combined(SuiteFieldName.requestNumber).flatMap(ScriptInteger.parse)
        let (place, element, count) = state.withLock { state in
            let place = (number.flatMap { $0 == 0 ? nil : $0 } ?? state.recorded.count + 1) &- 1
            let element = state.elements.indices.contains(place) ? state.elements[place] : nil
            return (place, element, state.recorded.count)
        }
        guard let element else {
            return .suiteNotice(409, "The test \(id) has no element for this request.", to: request)
        }
        guard count < Self.recordLimit else {
            return .suiteNotice(429, "The test \(id) received too many requests.", to: request)
        }
        guard element.pauseSeconds > 0 else { return answer(request, number: number, place: place) }
        let head = ComposedReply.Head(status: 0, reason: "", fields: [])
        return ComposedReply(
            head: head,
            steps: [
                .wait(.seconds(element.pauseSeconds)),
                .decide { [self] in answer(request, number: number, place: place) },
            ]
        )
    }

    /// Records the request and returns its reply.
    private func answer(_ request: ServedRequest, number: Int?, place: Int) -> ComposedReply {
        let now = Int(exactly: (clock.wallSeconds * 1000).rounded(.down)) ?? 0
        return state.withLock { state in
            let arrival = SuiteAnswer.Arrival(
                request: request,
                number: number,
                earlierNumbers: state.recorded.map(\.requestNumber),
                milliseconds: now,
                isRepeated: !state.served.insert(place).inserted
            )
            let answer = SuiteAnswer(
                state.elements[place],
                after: place > 0 ? state.elements[place - 1] : nil,
                to: arrival,
                id: id,
                dialect: dialect
            )
            state.elements[place].fields = answer.fields
            state.recorded.append(answer.entry)
            return answer.reply
        }
    }
}
