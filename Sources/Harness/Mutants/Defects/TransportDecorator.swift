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

/// A receiver that forwards to another every call that it does not implement; each has one defect.
protocol ReceiverDecorator: TransportReceiver {
    /// The receiver that gets the calls.
    var base: any TransportReceiver { get }
}

/// A receiver that forwards every call, and has no defect.
final class ForwardingReceiver: ReceiverDecorator {
    let base: any TransportReceiver

    init(_ base: any TransportReceiver) { self.base = base }
}

extension ReceiverDecorator {
    func receive(interim response: HTTPResponse) { base.receive(interim: response) }
    func receive(start: TransportStart) { base.receive(start: start) }
    func receive(head response: HTTPResponse) { base.receive(head: response) }
    func receive(piece: [UInt8]) -> Bool { base.receive(piece: piece) }
    func receive(end: Result<TransportEnd, TransportError>) { base.receive(end: end) }
}

/// Treats the first response as the final one, whatever its status.
final class FirstResponseReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let hasHead = Lock(false)

    init(_ base: any TransportReceiver) { self.base = base }

    func receive(interim response: HTTPResponse) { receiveFirst(response) }
    func receive(head response: HTTPResponse) { receiveFirst(response) }

    private func receiveFirst(_ response: HTTPResponse) {
        let isFirst = hasHead.withLock { hasHead in
            defer { hasHead = true }
            return !hasHead
        }
        if isFirst { base.receive(head: response) }
    }
}

/// Holds a response until its end, and treats trailer fields as header fields.
final class MergingReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let held = Lock((head: HTTPResponse?.none, pieces: [[UInt8]]()))

    init(_ base: any TransportReceiver) { self.base = base }

    func receive(head response: HTTPResponse) { held.withLock { $0.head = response } }

    func receive(piece: [UInt8]) -> Bool {
        held.withLock { $0.pieces.append(piece) }
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        var (head, pieces) = held.withLock { $0 }
        if case .success(let end) = end { head?.headerFields.append(contentsOf: end.trailers) }
        if let head { base.receive(head: head) }
        for piece in pieces { _ = base.receive(piece: piece) }
        base.receive(end: end)
    }
}
