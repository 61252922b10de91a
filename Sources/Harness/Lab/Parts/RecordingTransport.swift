import CacheClient
import HTTPTypes
import Locks

/// A transport whose requests and responses are recorded.
struct RecordingTransport: Transport {
    let sender: LabCacheName
    let base: any Transport
    let timeline: LabTimeline

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        timeline.add(.request(from: sender, request.head))
        return base.start(request, receiver: RecordingReceiver(self, receiver))
    }
}

/// Records a response while it passes it on.
private final class RecordingReceiver: TransportReceiver {
    private let transport: RecordingTransport
    private let receiver: any TransportReceiver
    private let message = Lock<ReceivedMessage?>(nil)

    init(_ transport: RecordingTransport, _ receiver: any TransportReceiver) {
        (self.transport, self.receiver) = (transport, receiver)
    }

    func receive(interim response: HTTPResponse) { receiver.receive(interim: response) }

    func receive(start: TransportStart) { receiver.receive(start: start) }

    func receive(head response: HTTPResponse) {
        record(response)
        receiver.receive(head: response)
    }

    func receive(piece: [UInt8]) -> Bool {
        message.withLock { $0 }?.add(piece)
        return receiver.receive(piece: piece)
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        record(end)
        receiver.receive(end: end)
    }

    func receive(rest: consuming TransportRest) {
        if let head = rest.head { record(head) }
        message.withLock { $0 }?.add(rest.piece)
        record(rest.end)
        receiver.receive(rest: rest)
    }

    private func record(_ head: HTTPResponse) {
        let new = ReceivedMessage(head)
        message.withLock { $0 = new }
        transport.timeline.add(.response(to: transport.sender, new))
    }

    private func record(_ end: Result<TransportEnd, TransportError>) {
        guard case .failure(let error) = end else { return }
        transport.timeline.add(.failure(to: transport.sender, error.detail))
    }
}
