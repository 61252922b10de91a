import CacheClient
import Clocks
import HTTPTypes
import Locks

/// An event of the transport for one exchange.
enum PassedEvent: Sendable {
    case interim(HTTPResponse)
    case head(HTTPResponse)
    case piece([UInt8])
    case end(Result<TransportEnd, TransportError>)
}

/// Forwards the transport's events.
final class PassingReceiver: TransportReceiver {
    private let sink: AsyncStream<PassedEvent>.Continuation

    init(_ sink: AsyncStream<PassedEvent>.Continuation) {
        self.sink = sink
    }

    func receive(interim response: HTTPResponse) { sink.yield(.interim(response)) }

    func receive(head response: HTTPResponse) { sink.yield(.head(response)) }

    func receive(piece: [UInt8]) -> Bool {
        sink.yield(.piece(piece))
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        sink.yield(.end(end))
        sink.finish()
    }
}

/// A timeout on inactivity, on the real clock.
final class Deadline: Sendable {
    private struct State {
        var sleeper: Sleeper?
        var isOver = false
        var isStopped = false
    }
    private let patience: Duration
    private let clock = SystemClock()
    private let onEnd: @Sendable () -> Void
    private let state = Lock(State())

    init(_ patience: Duration, onEnd: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.onEnd = onEnd
        extend()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Restarts the timeout.
    func extend() {
        let sleeper = clock.schedule(after: patience) { [self] in
            let isMine = state.withLock { state in
                defer { state.isOver = !state.isStopped }
                return !state.isStopped
            }
            if isMine { onEnd() }
        }
        let old = state.withLock { state in
            defer { state.sleeper = sleeper }
            return state.sleeper
        }
        old?.cancel()
    }

    func stop() {
        let sleeper = state.withLock { state in
            state.isStopped = true
            return state.sleeper
        }
        sleeper?.cancel()
    }
}
