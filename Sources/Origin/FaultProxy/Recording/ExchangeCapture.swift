import Clocks
import Locks

/// Collects what passes of one exchange for a recording; the tasks of both directions may call it.
final class ExchangeCapture: Sendable {
    private struct State {
        var exchange: CapturedExchange
        /// Bytes of content in both directions.
        var size = 0
        var isReported = false
    }
    /// Bytes of content above which an exchange is not recorded.
    static let most = 64 << 20
    private let state: Lock<State>
    private let began: Duration
    private let clock: any TimeSource
    private let report: @Sendable (RecordedEvent) -> Void

    /// Creates the capture of an exchange of which only the request's head has been read.
    init(
        _ exchange: CapturedExchange,
        clock: any TimeSource,
        report: @escaping @Sendable (RecordedEvent) -> Void
    ) {
        (self.clock, self.report, began) = (clock, report, clock.elapsed)
        state = Lock(State(exchange: exchange))
    }

    /// Adds content of the request.
    func take(request bytes: ArraySlice<UInt8>) { add(bytes) { $0.requestBody += bytes } }

    /// Adds content of the response.
    func take(response bytes: ArraySlice<UInt8>) { add(bytes) { $0.response.body += bytes } }

    private func add(_ bytes: ArraySlice<UInt8>, _ change: (inout CapturedExchange) -> Void) {
        state.withLock { state in
            state.size += bytes.count
            if state.size > Self.most {
                (state.exchange.requestBody, state.exchange.response.body) = ([], [])
            } else {
                change(&state.exchange)
            }
        }
    }

    /// Adds the head of an interim or final response; 100 only concerns the connection.
    func take(_ head: ResponseHead) {
        let now = clock.timeSinceEpoch
        state.withLock { state in
            if !head.isInterim {
                state.exchange.response = CapturedExchange.Response(head)
                state.exchange.answeredAt = now
            } else if head.status != 100 {
                state.exchange.interim.append(CapturedExchange.Response(head))
            }
        }
    }

    /// Ends the capture: the response is complete or, with a reason, will not be; only the first call counts.
    func end(_ problem: String? = nil) {
        let duration = clock.elapsed - began
        let event = state.withLock { state -> RecordedEvent? in
            guard !state.isReported else { return nil }
            state.isReported = true
            state.exchange.duration = duration
            let excess = state.size > Self.most ? "its content is larger than \(Self.most) bytes" : nil
            guard let problem = problem ?? excess else { return .exchange(state.exchange) }
            let (method, origin) = (state.exchange.method, state.exchange.origin)
            return .omitted("\(method) \(origin)\(state.exchange.target): \(problem)")
        }
        if let event { report(event) }
    }
}

extension CapturedExchange.Field {
    /// Returns the field lines of a head.
    static func all(of head: HeadBytes) -> [CapturedExchange.Field] {
        head.fields.map { CapturedExchange.Field($0.name, $0.value) }
    }
}

extension CapturedExchange.Response {
    /// Reads a head.
    fileprivate init(_ head: ResponseHead) {
        let words = head.raw.startWords
        self.init(
            status: head.status,
            reason: words.count > 2 ? words[2] : "",
            fields: CapturedExchange.Field.all(of: head.raw)
        )
    }
}
