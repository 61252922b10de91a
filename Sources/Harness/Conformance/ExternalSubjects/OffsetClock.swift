import Clocks
import Locks

/// The system's clock, which can also be moved forward; timers whose time is skipped fire at once.
final class OffsetClock: TimeSource {
    private struct Timer: Sendable {
        let deadline: Duration
        let wake: @Sendable () -> Void
        let sleeper: Sleeper
    }
    private struct State {
        var offset: Duration = .zero
        var nextNumber = 0
        var timers: [Int: Timer] = [:]
    }
    private let base: SystemClock
    private let state = Lock(State())

    init(_ base: SystemClock) {
        self.base = base
    }

    var timeSinceEpoch: Duration { base.timeSinceEpoch + offset }

    var elapsed: Duration { base.elapsed + offset }

    /// The time by which the clock has been moved.
    var offset: Duration { state.withLock { $0.offset } }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let deadline = elapsed + max(delay, .zero).limited
        let sleeper = base.schedule(after: delay) { [weak self] in self?.ring(number) }
        state.withLock { $0.timers[number] = Timer(deadline: deadline, wake: wake, sleeper: sleeper) }
        // The timer may have fired before it was added.
        if elapsed >= deadline { ring(number) }
        return Sleeper { [weak self] in self?.remove(number)?.sleeper.cancel() }
    }

    /// Moves the clock forward and fires the timers that are due, in the order of their times.
    func advance(by duration: Duration) {
        let target = elapsed + duration
        state.withLock { $0.offset += duration }
        let due = state.withLock { state in
            state.timers.filter { $0.value.deadline <= target }
        }
        for (number, timer) in due.sorted(by: { $0.value.deadline < $1.value.deadline }) {
            timer.sleeper.cancel()
            ring(number)
        }
    }

    private func ring(_ number: Int) {
        remove(number)?.wake()
    }

    private func remove(_ number: Int) -> Timer? {
        state.withLock { $0.timers.removeValue(forKey: number) }
    }
}
