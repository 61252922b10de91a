import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes

/// Shifts the origin's times by as much as the cache's clock is ahead.
///
/// Otherwise every response would arrive with the time that only the cache's clock has skipped as its age.
struct ShiftedTransport: Transport {
    let base: any Transport
    let clock: ShiftedClock

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        base.start(request, receiver: ShiftedReceiver(receiver, clock))
    }
}

/// Shifts `Date` and `Expires` of each response.
private final class ShiftedReceiver: TransportReceiver {
    private let receiver: any TransportReceiver
    private let seconds: Int64
    private let now: HTTPDate

    init(_ receiver: any TransportReceiver, _ clock: ShiftedClock) {
        self.receiver = receiver
        seconds = clock.shiftedSeconds
        now = HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds))
    }

    func receive(interim response: HTTPResponse) { receiver.receive(interim: response) }

    func receive(start: TransportStart) { receiver.receive(start: start) }

    func receive(head response: HTTPResponse) {
        var response = response
        for name in [HTTPField.Name.date, .expires] where seconds != 0 {
            guard let date = response.headerFields[name].flatMap({ HTTPDate(parsing: $0, now: now) }) else {
                continue
            }
            response.headerFields[name] = date.advanced(by: seconds).text
        }
        receiver.receive(head: response)
    }

    func receive(piece: [UInt8]) -> Bool { receiver.receive(piece: piece) }

    func receive(end: Result<TransportEnd, TransportError>) { receiver.receive(end: end) }
}
