import CacheClient
import HTTPTypes
import Locks

extension LabTimeline {
    /// Returns a transport whose requests and responses are recorded.
    func recording(_ base: any Transport, of sender: LabCacheName) -> TransportDecorator {
        TransportDecorator(
            base: base,
            request: { self.add(.request(from: sender, $0)) },
            receiver: { LabReceiver($0, of: sender, self) }
        )
    }
}

/// Records a response while it passes it on.
private final class LabReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let sender: LabCacheName
    private let timeline: LabTimeline
    private let message = Lock<ReceivedMessage?>(nil)

    init(_ base: any TransportReceiver, of sender: LabCacheName, _ timeline: LabTimeline) {
        (self.base, self.sender, self.timeline) = (base, sender, timeline)
    }

    func receive(head response: HTTPResponse) {
        let new = ReceivedMessage(response)
        message.withLock { $0 = new }
        timeline.add(.response(to: sender, new))
        base.receive(head: response)
    }

    func receive(piece: [UInt8]) -> Bool {
        message.withLock { $0 }?.add(piece)
        return base.receive(piece: piece)
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        if case .failure(let error) = end { timeline.add(.failure(to: sender, error.detail)) }
        base.receive(end: end)
    }
}
