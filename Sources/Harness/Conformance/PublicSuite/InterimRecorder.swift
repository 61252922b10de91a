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

    var transport: any Transport {
        TransportDecorator(base: base.transport, receiver: { [recorder] in InterimReceiver($0, recorder) })
    }

    func activity(parked: Set<UInt16>) -> Activity { base.activity(parked: parked) }
}

private final class InterimReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let recorder: InterimRecorder

    init(_ base: any TransportReceiver, _ recorder: InterimRecorder) {
        (self.base, self.recorder) = (base, recorder)
    }

    func receive(interim response: HTTPResponse) {
        recorder.add(response)
        base.receive(interim: response)
    }
}
