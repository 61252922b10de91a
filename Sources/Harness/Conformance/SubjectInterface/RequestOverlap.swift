import Clocks
import Locks
import Scenarios

/// Tracks which requests overlapped no other, so that the origin's record during them belongs to them alone.
final class RequestOverlap: Sendable {
    private struct State {
        var next = 0
        /// The active requests, and whether each has overlapped another.
        var open: [Int: Bool] = [:]
        var timers: [Sleeper] = []
    }
    private let state = Lock(State())

    /// Registers a new request and returns its number.
    func begin() -> Int {
        state.withLock { state in
            for number in state.open.keys { state.open[number] = true }
            state.next += 1
            state.open[state.next] = state.open.count > 0
            return state.next
        }
    }

    /// Ends a request; returns whether it overlapped no other.
    func end(_ number: Int) -> Bool {
        state.withLock { $0.open.removeValue(forKey: number) == false }
    }

    /// Ends a request whose response may have no source, which then follows from what arrived, unless it overlapped another.
    func end(_ number: Int, _ seen: inout CallerObservation, _ arrivals: () -> [OriginExchange]) {
        if end(number), seen.source == nil { seen.source = .inferred(from: seen, arrivals()) }
    }

    /// Retains a timer.
    func keep(_ timer: Sleeper) {
        state.withLock { $0.timers.append(timer) }
    }
}
