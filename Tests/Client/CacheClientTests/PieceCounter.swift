import CacheClient
import HTTPTypes
import Locks

/// Counts the pieces of one response, and pauses it once.
final class PieceCounter: TransportReceiver {
    private struct State {
        var received = 0
        var largest = 0
        var hasPaused = false
    }
    private let limit: Int
    private let state = Lock(State())
    private let sink: AsyncStream<Void>.Continuation
    /// One element when it pauses; ends with the response.
    let pauses: AsyncStream<Void>

    init(pausesAt limit: Int) {
        self.limit = limit
        (pauses, sink) = AsyncStream.makeStream()
    }

    var received: Int { state.withLock { $0.received } }
    var largest: Int { state.withLock { $0.largest } }

    func receive(interim response: HTTPResponse) {}

    func receive(head response: HTTPResponse) {}

    func receive(piece: [UInt8]) -> Bool {
        let pauses = state.withLock { state in
            state.received += piece.count
            state.largest = max(state.largest, piece.count)
            defer { state.hasPaused = state.hasPaused || state.received >= limit }
            return !state.hasPaused && state.received >= limit
        }
        if pauses { sink.yield() }
        return !pauses
    }

    func receive(end: Result<TransportEnd, TransportError>) { sink.finish() }
}
