import CacheClient
import HTTPTypes
import Locks

/// Treats the first response as the final one, regardless of its status.
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

/// Changes the heads of final responses; by default none.
final class HeadChangingReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let change: @Sendable (inout HTTPResponse) -> Void

    init(_ base: any TransportReceiver, _ change: @escaping @Sendable (inout HTTPResponse) -> Void = { _ in })
    {
        (self.base, self.change) = (base, change)
    }

    func receive(head response: HTTPResponse) {
        var response = response
        change(&response)
        base.receive(head: response)
    }
}

/// Holds responses until their end.
final class HoldingReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let isHeld: @Sendable (HTTPResponse) -> Bool
    private let complete: @Sendable (inout HTTPResponse, TransportEnd) -> Void
    private let held = Lock((head: HTTPResponse?.none, pieces: [[UInt8]]()))

    /// Holds the responses that `isHeld` returns true for; `complete` changes the head at the end.
    init(
        _ base: any TransportReceiver,
        if isHeld: @escaping @Sendable (HTTPResponse) -> Bool = { _ in true },
        complete: @escaping @Sendable (inout HTTPResponse, TransportEnd) -> Void = { _, _ in }
    ) {
        (self.base, self.isHeld, self.complete) = (base, isHeld, complete)
    }

    func receive(head response: HTTPResponse) {
        guard isHeld(response) else { return base.receive(head: response) }
        held.withLock { $0.head = response }
    }

    func receive(piece: [UInt8]) -> Bool {
        let isHeld = held.withLock { held in
            guard held.head != nil else { return false }
            held.pieces.append(piece)
            return true
        }
        return isHeld || base.receive(piece: piece)
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        let (head, pieces) = held.withLock { $0 }
        if var head {
            if case .success(let end) = end { complete(&head, end) }
            base.receive(head: head)
        }
        for piece in pieces { _ = base.receive(piece: piece) }
        base.receive(end: end)
    }
}
