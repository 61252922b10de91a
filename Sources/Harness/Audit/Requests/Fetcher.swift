import Addresses
import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Locks

/// The reason why a request brought no response that can be audited.
package enum FetchFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No complete response within the time of a request.
    case timedOut(Duration)
    /// The address is not public.
    case privateAddress(String)
    /// The connection, or the bytes received over it.
    case transport(String)
    /// The audit may not send the request, for this reason.
    case refused(String)
    /// robots.txt disallows the URL.
    case disallowed(String)
    /// The content is not of the expected kind, such as a sitemap.
    case unreadable(String)
    /// The audit's task was cancelled.
    case cancelled

    /// One sentence without the full stop.
    package var description: String {
        switch self {
        case .timedOut(let time): "no complete response within \(time.wholeSeconds) s"
        case .cancelled: "the audit was cancelled"
        case .privateAddress(let detail), .transport(let detail), .refused(let detail),
            .disallowed(let detail),
            .unreadable(let detail):
            detail
        }
    }
}

/// Sends single requests, each with a limit of time and of content.
struct Fetcher: Sendable {
    /// The transport that sends them.
    let transport: any Transport
    /// The clock of dates and time limits.
    let clock: any TimeSource
    /// The most bytes of content that are read.
    let contentBytes: Int

    /// Sends a request in at most `version`; `addresses` are those that may be connected to, `nil` permits any.
    func fetch(
        _ request: HTTPRequest,
        version: HTTPVersion = .http2,
        addresses: AddressRule?,
        within time: Duration
    ) async -> Result<AuditedExchange, FetchFailure> {
        let sent = now
        let arrival = Arrival(limit: contentBytes, clock: clock)
        var whole = TransportRequest(head: request)
        (whole.newestVersion, whole.addresses) = (version, addresses)
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard arrival.begin(continuation) else { return }
                let timer = clock.schedule(after: time) { arrival.fail(.timedOut(time)) }
                arrival.attach(transport.start(whole, receiver: arrival), timer)
            }
        } onCancel: {
            arrival.fail(.cancelled)
        }
        return end.map { end in
            var exchange = AuditedExchange(
                request: request,
                response: end.head,
                content: end.content,
                requestTime: sent,
                responseTime: end.headTime
            )
            exchange.hasWholeContent = end.isWhole
            return exchange
        }
    }

    private var now: HTTPDate { HTTPDate(secondsSinceEpoch: clock.timeSinceEpoch.wholeSeconds) }
}

/// Collects one response, up to a limit of content.
private final class Arrival: TransportReceiver {
    struct End: Sendable {
        var head: HTTPResponse
        var content: [UInt8]
        var isWhole: Bool
        var headTime: HTTPDate
    }
    private struct State {
        var head: HTTPResponse?
        var headTime = HTTPDate(secondsSinceEpoch: 0)
        var content: [UInt8] = []
        var isFinished = false
        var continuation: CheckedContinuation<Result<End, FetchFailure>, Never>?
        var exchange: (any TransportExchange)?
        var timer: Sleeper?

        func end(isWhole: Bool) -> Result<End, FetchFailure> {
            guard let head else { return .failure(.transport("the exchange ended without a response")) }
            return .success(End(head: head, content: content, isWhole: isWhole, headTime: headTime))
        }
    }
    private let limit: Int
    private let clock: any TimeSource
    private let state = Lock(State())

    init(limit: Int, clock: any TimeSource) {
        self.limit = limit
        self.clock = clock
    }

    /// Returns whether the request is to be sent; it may have been cancelled before this call.
    func begin(_ continuation: CheckedContinuation<Result<End, FetchFailure>, Never>) -> Bool {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.continuation = continuation }
            return state.isFinished
        }
        if isFinished { continuation.resume(returning: .failure(.cancelled)) }
        return !isFinished
    }

    /// Records the exchange and its timer; the exchange may have ended before this call.
    func attach(_ exchange: any TransportExchange, _ timer: Sleeper) {
        let isFinished = state.withLock { state in
            if !state.isFinished { (state.exchange, state.timer) = (exchange, timer) }
            return state.isFinished
        }
        guard isFinished else { return }
        exchange.cancel()
        timer.cancel()
    }

    func receive(interim response: HTTPResponse) {}

    func receive(head response: HTTPResponse) {
        let moment = HTTPDate(secondsSinceEpoch: clock.timeSinceEpoch.wholeSeconds)
        state.withLock { ($0.head, $0.headTime) = (response, moment) }
    }

    func receive(piece: [UInt8]) -> Bool {
        let isFull = state.withLock { state in
            state.content += piece.prefix(limit - state.content.count)
            return state.content.count >= limit
        }
        if isFull { finish { $0.end(isWhole: false) } }
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        switch end {
        case .success: finish { $0.end(isWhole: true) }
        case .failure(let error): finish { _ in .failure(Self.failure(error)) }
        }
    }

    func fail(_ failure: FetchFailure) { finish { _ in .failure(failure) } }

    private func finish(_ result: (State) -> Result<End, FetchFailure>) {
        let (continuation, exchange, timer, outcome) = state.withLock { state in
            defer {
                (state.isFinished, state.continuation, state.exchange, state.timer) = (true, nil, nil, nil)
            }
            return (state.continuation, state.exchange, state.timer, result(state))
        }
        timer?.cancel()
        exchange?.cancel()
        continuation?.resume(returning: outcome)
    }

    private static func failure(_ error: TransportError) -> FetchFailure {
        var detail = error.detail
        if detail.hasSuffix(".") { detail.removeLast() }
        return error.kind == .addressRefused ? .privateAddress(detail) : .transport(detail)
    }
}
