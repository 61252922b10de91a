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
        for (offset, fault) in faults.ordered(by: { $0.point.offset(in: length) }) {
            if case .slow(let rate) = fault.action {
                (reading.bytesPerSecond, reading.slowFrom) = (rate, offset)
            } else if let effect = fault.action.effect(stall: hold), let action = action(effect, clock) {
                reading.stops.append(RequestReading.Stop(after: offset, action))
            }
        }
        return reading
    }

    /// Returns the action at a stop; `nil` for an effect that only responses have.
    private static func action(_ effect: FaultEffect, _ clock: any TimeSource) -> RequestReading.Action? {
        switch effect {
        case .end(let end): .answer(RawReply([], ending: RawReply.Ending(end), clock: clock))
        case .hold(let hold): .hold(hold ?? Hold())
        case .wait(let time): .wait(time)
        case .send(let content, _): .write(Array(content.bytes() ?? []))
        case .interim: nil
        }
    }
}
