import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes

extension ShiftedClock {
    /// Returns a transport that shifts the origin's times by as much as the cache's clock is ahead.
    ///
    /// Otherwise every response would arrive with the time that only the cache's clock has skipped as its age.
    func shifting(_ base: any Transport) -> TransportDecorator {
        TransportDecorator(base: base, receiver: { ShiftedReceiver($0, self) })
    }
}

/// Shifts `Date` and `Expires` of each response.
private final class ShiftedReceiver: ReceiverDecorator {
    let base: any TransportReceiver
    private let seconds: Int64
    private let now: HTTPDate

    init(_ base: any TransportReceiver, _ clock: ShiftedClock) {
        self.base = base
        seconds = clock.shiftedSeconds
        now = HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds))
    }

    func receive(head response: HTTPResponse) {
        var response = response
        for name in [HTTPField.Name.date, .expires] where seconds != 0 {
            guard let date = response.headerFields[name].flatMap({ HTTPDate(parsing: $0, now: now) }) else {
                continue
            }
            response.headerFields[name] = date.advanced(by: seconds).text
        }
        base.receive(head: response)
    }
}
