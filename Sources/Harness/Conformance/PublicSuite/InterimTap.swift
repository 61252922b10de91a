import CacheClient
import HTTPTypes
import Locks

/// Keeps the 1xx responses that pass a transport, which the client's callers are not told.
final class InterimTap: Sendable {
    private let seen = Lock<[HTTPResponse]>([])

    func add(_ response: HTTPResponse) {
        seen.withLock { $0.append(response) }
    }

    /// Returns what came since the last call.
    func take() -> [HTTPResponse] {
        seen.withLock { seen in
            defer { seen = [] }
            return seen
        }
    }
}

/// A link whose 1xx responses are kept.
struct TappedLink: SubjectLink {
    let base: any SubjectLink
    let tap: InterimTap

    var loop: ClientLoop { base.loop }

    var transport: any Transport { TappedTransport(base: base.transport, tap: tap) }

    func activity(parked: Set<UInt16>) -> Activity { base.activity(parked: parked) }
}

private struct TappedTransport: Transport {
    let base: any Transport
    let tap: InterimTap

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        base.start(request, receiver: TappedReceiver(receiver, tap))
    }
}

private final class TappedReceiver: TransportReceiver {
    private let receiver: any TransportReceiver
    private let tap: InterimTap

    init(_ receiver: any TransportReceiver, _ tap: InterimTap) {
        self.receiver = receiver
        self.tap = tap
    }

    func receive(interim response: HTTPResponse) {
        tap.add(response)
        receiver.receive(interim: response)
    }

    func receive(start: TransportStart) { receiver.receive(start: start) }

    func receive(head response: HTTPResponse) { receiver.receive(head: response) }

    func receive(piece: [UInt8]) -> Bool { receiver.receive(piece: piece) }

    func receive(end: Result<TransportEnd, TransportError>) { receiver.receive(end: end) }
}
