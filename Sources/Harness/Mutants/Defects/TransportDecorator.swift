import CacheClient
import HTTPTypes
import Locks

/// A transport that changes the requests it sends or the responses it delivers.
struct TransportDecorator: Transport {
    let base: any Transport
    var request: (@Sendable (inout HTTPRequest) -> Void)?
    var receiver: (@Sendable (any TransportReceiver) -> any TransportReceiver)?

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        var sent = request
        self.request?(&sent.head)
        return base.start(sent, receiver: self.receiver?(receiver) ?? receiver)
    }
}

/// A receiver that forwards every call to another; each subclass has one defect.
class ReceiverDecorator: TransportReceiver, @unchecked Sendable {
    // Reason: `base` is constant and Sendable; a subclass has its state behind a lock.
    let base: any TransportReceiver

    required init(_ base: any TransportReceiver) { self.base = base }

    func receive(interim response: HTTPResponse) { base.receive(interim: response) }
    func receive(start: TransportStart) { base.receive(start: start) }
    func receive(head response: HTTPResponse) { base.receive(head: response) }
    func receive(piece: [UInt8]) -> Bool { base.receive(piece: piece) }
    func receive(end: Result<TransportEnd, TransportError>) { base.receive(end: end) }
}

/// Treats the first response as the final one, whatever its status.
final class FirstResponseReceiver: ReceiverDecorator, @unchecked Sendable {
    // Reason: its state is behind a lock.
    private let hasHead = Lock(false)

    override func receive(interim response: HTTPResponse) { tell(response) }
    override func receive(head response: HTTPResponse) { tell(response) }

    private func tell(_ response: HTTPResponse) {
        let isFirst = hasHead.withLock { hasHead in
            defer { hasHead = true }
            return !hasHead
        }
        if isFirst { base.receive(head: response) }
    }
}

/// Holds a response until its end, and treats trailer fields as header fields.
final class MergingReceiver: ReceiverDecorator, @unchecked Sendable {
    // Reason: its state is behind a lock.
    private let held = Lock((head: HTTPResponse?.none, pieces: [[UInt8]]()))

    override func receive(head response: HTTPResponse) { held.withLock { $0.head = response } }

    override func receive(piece: [UInt8]) -> Bool {
        held.withLock { $0.pieces.append(piece) }
        return true
    }

    override func receive(end: Result<TransportEnd, TransportError>) {
        var (head, pieces) = held.withLock { $0 }
        if case .success(let end) = end { head?.headerFields.append(contentsOf: end.trailers) }
        if let head { base.receive(head: head) }
        for piece in pieces { _ = base.receive(piece: piece) }
        base.receive(end: end)
    }
}
