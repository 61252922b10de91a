import Clocks
import Locks

/// Tells which requests had the origin to themselves, so that what it saw belongs to them alone.
final class RequestOverlap: Sendable {
    private struct State {
        var next = 0
        /// Those under way, and whether another was meanwhile.
        var open: [Int: Bool] = [:]
        var alarms: [Sleeper] = []
    }
    private let state = Lock(State())

    /// Begins a request and returns its number.
    func begin() -> Int {
        state.withLock { state in
            for number in state.open.keys { state.open[number] = true }
            state.next += 1
            state.open[state.next] = state.open.count > 0
            return state.next
        }
    }

    /// Ends a request; returns whether no other was under way meanwhile.
    func end(_ number: Int) -> Bool {
        state.withLock { $0.open.removeValue(forKey: number) == false }
    }

    /// Keeps an alarm from going.
    func keep(_ alarm: Sleeper) {
        state.withLock { $0.alarms.append(alarm) }
    }
}
