import Clocks
import Locks

/// Collects what passes of one exchange for a recording; the tasks of both directions may call it.
final class ExchangeCapture: Sendable {
    private struct State {
        var exchange: CapturedExchange
        /// Bytes of content in both directions.
        var size = 0
        /// Whether the exchange was reported, as recorded or as omitted.
        var isFinished = false
    }
    /// Bytes of content above which an exchange is not recorded.
    static let maximumBytes = 64 << 20
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

    /// Whether nothing more is collected, because the exchange was reported: as recorded, or as omitted.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Adds content of the request.
    func take(request bytes: ArraySlice<UInt8>) { add(bytes) { $0.requestBody += bytes } }

    /// Adds content of the response.
    func take(response bytes: ArraySlice<UInt8>) { add(bytes) { $0.response.body += bytes } }

    private func add(_ bytes: ArraySlice<UInt8>, _ change: (inout CapturedExchange) -> Void) {
        let event = state.withLock { state -> RecordedEvent? in
            guard !state.isFinished else { return nil }
            state.size += bytes.count
            guard state.size > Self.maximumBytes else {
                change(&state.exchange)
                return nil
            }
            return Self.end(&state, "its content is larger than \(Self.maximumBytes) bytes")
        }
        if let event { report(event) }
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

    /// Ends the capture if the framing of the response is part of what counts as its content.
    func check(_ scanner: ContentScanner) {
        if scanner.isMalformed { end("its chunks cannot be parsed") }
    }

    /// Ends the capture: the response is complete or, with a reason, will not be recorded; only the first call counts.
    func end(_ problem: String? = nil) {
        let duration = clock.elapsed - began
        let event = state.withLock { state in
            state.exchange.duration = duration
            return Self.end(&state, problem)
        }
        if let event { report(event) }
    }

    private static func end(_ state: inout State, _ problem: String?) -> RecordedEvent? {
        guard !state.isFinished else { return nil }
        state.isFinished = true
        // The proxy's exchange may last for long after this.
        defer { (state.exchange.requestBody, state.exchange.response.body) = ([], []) }
        let exchange = state.exchange
        guard let problem = problem ?? obstacle(in: exchange) else { return .exchange(exchange) }
        return .omitted("\(exchange.requestText): \(problem)")
    }

    /// Returns the reason why no site can have an exchange; `nil` if one can.
    private static func obstacle(in exchange: CapturedExchange) -> String? {
        // The target of CONNECT, or `*`: a site with a route for one would be rejected as a whole.
        exchange.target.hasPrefix("/") ? nil : "its target has no path, so no route can match it"
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
