import CacheClient
import HTTPTypes

/// An event of the transport for one exchange, or its absence.
enum PassedEvent: Sendable {
    case interim(HTTPResponse)
    case head(HTTPResponse)
    case piece([UInt8])
    case end(Result<TransportEnd, TransportError>)
    /// Nothing came for too long after this number of events.
    case overdue(after: Int)
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
