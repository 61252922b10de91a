import CacheClient
import HTTPTypes
import Locks

/// Keeps the 1xx responses that pass a transport, which the client does not report to its callers.
final class InterimRecorder: Sendable {
    private let seen = Lock<[HTTPResponse]>([])

    func add(_ response: HTTPResponse) {
        seen.withLock { $0.append(response) }
    }

    /// Returns the responses since the last call.
    func take() -> [HTTPResponse] {
        seen.withLock { seen in
            defer { seen = [] }
            return seen
        }
    }
}

/// A link whose 1xx responses are recorded.
struct RecordingLink: SubjectLink {
    let base: any SubjectLink
    let recorder: InterimRecorder

    var loop: ClientLoop { base.loop }

    var transport: any Transport { RecordingTransport(base: base.transport, recorder: recorder) }

    func activity(parked: Set<UInt16>) -> Activity { base.activity(parked: parked) }
}

private struct RecordingTransport: Transport {
    let base: any Transport
    let recorder: InterimRecorder

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        base.start(request, receiver: RecordingReceiver(receiver, recorder))
    }
}

private final class RecordingReceiver: TransportReceiver {
    private let receiver: any TransportReceiver
    private let recorder: InterimRecorder

    init(_ receiver: any TransportReceiver, _ recorder: InterimRecorder) {
        self.receiver = receiver
        self.recorder = recorder
    }

    func receive(interim response: HTTPResponse) {
        recorder.add(response)
        receiver.receive(interim: response)
    }

    func receive(start: TransportStart) { receiver.receive(start: start) }

    func receive(head response: HTTPResponse) { receiver.receive(head: response) }

    func receive(piece: [UInt8]) -> Bool { receiver.receive(piece: piece) }

    func receive(end: Result<TransportEnd, TransportError>) { receiver.receive(end: end) }
}
