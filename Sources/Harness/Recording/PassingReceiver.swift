import CacheClient
import HTTPTypes
import Locks

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
///
/// The transport pauses while too much content is still to be written to the client.
final class PassingReceiver: TransportReceiver {
    private struct Backlog {
        /// Bytes of content that were received and not yet written.
        var size = 0
        var isPaused = false
    }
    /// The number of bytes in the backlog at which the transport pauses.
    private static let maximumBacklog = 256 << 10
    private let sink: AsyncStream<PassedEvent>.Continuation
    private let backlog = Lock(Backlog())

    init(_ sink: AsyncStream<PassedEvent>.Continuation) {
        self.sink = sink
    }

    func receive(interim response: HTTPResponse) { sink.yield(.interim(response)) }

    func receive(head response: HTTPResponse) { sink.yield(.head(response)) }

    func receive(piece: [UInt8]) -> Bool {
        let isPaused = backlog.withLock { backlog in
            backlog.size += piece.count
            backlog.isPaused = backlog.size >= Self.maximumBacklog
            return backlog.isPaused
        }
        sink.yield(.piece(piece))
        return !isPaused
    }

    /// Notes that an event's content was written; returns whether the transport has to be resumed.
    func resumes(afterWriting event: PassedEvent) -> Bool {
        guard case .piece(let bytes) = event else { return false }
        return backlog.withLock { backlog in
            backlog.size -= bytes.count
            guard backlog.isPaused, backlog.size <= Self.maximumBacklog / 2 else { return false }
            backlog.isPaused = false
            return true
        }
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        sink.yield(.end(end))
        sink.finish()
    }
}
