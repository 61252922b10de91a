import Clocks
import Locks

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

    /// Retains an timer.
    func keep(_ timer: Sleeper) {
        state.withLock { $0.timers.append(timer) }
    }
}
