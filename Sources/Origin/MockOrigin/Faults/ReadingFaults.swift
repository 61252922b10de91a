import Clocks
import HTTPServing
import OriginScript

/// Converts faults of a request's content to the way in which it is read.
enum ReadingFaults {
    /// Returns the reading of resolved faults.
    static func reading(
        _ faults: [Fault],
        of request: ServedRequest,
        hold: Hold,
        clock: any TimeSource,
        observer: (any ReadingObserver)?
    ) -> RequestReading {
        let length = request.fields.combined(FieldName.contentLength).flatMap { Int($0) }
        var reading = RequestReading(clock: clock, observer: observer)
        for fault in faults {
            let offset = fault.point.offset(in: length)
            if case .slow(let rate) = fault.action {
                (reading.bytesPerSecond, reading.slowFrom) = (rate, offset)
            } else if let action = action(fault.action, hold, clock) {
                reading.stops.append(RequestReading.Stop(after: offset, action))
            }
        }
        // Stable: stops at the same position keep the order of the list.
        let ordered = reading.stops.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        reading.stops = ordered.map(\.element)
        return reading
    }

    private static func action(
        _ action: FaultAction,
        _ hold: Hold,
        _ clock: any TimeSource
    ) -> RequestReading.Action? {
        switch action {
        case .reset, .close, .halfClose:
            action.connectionEnd.map { .answer(RawReply([], ending: RawReply.Ending($0), clock: clock)) }
        case .stall(.untilReleased): .hold(hold)
        case .stall(.forever): .hold(Hold())
        case .stall(.time(let time)), .delay(let time): .wait(time.low)
        case .garbage(.bytes(let bytes)): .write(bytes)
        // The rate is not an action; the others change no content of a request.
        case .slow, .refuse, .truncate, .garbage(.drawn), .duplicate, .rewrite, .contentLength, .status,
            .interim:
            nil
        }
    }
}
