import Clocks
import Locks

/// Schedules the start of scenarios against a subject outside the process so that no verdict depends on the machine's
/// load.
///
/// Caches count whole seconds, and so do scenarios: a request late in a second is answered in this second or the next.
/// So all scenarios start early in a second. The number of scenarios in which time has to pass is limited per second.
/// Of the others, which can wait, no more are active than there are jobs.
final class ScenarioLimiter: Sendable {
    private struct State {
        var second = 0
        var begun = 0
        var free: Int
        var queue: [Signal] = []
    }
    private let clock: SystemClock
    private let perSecond: Int
    private let cancellation: RunCancellation
    private let state: Lock<State>

    /// Creates a limiter; once the run is cancelled, nothing has to wait.
    init(jobs: Int, clock: SystemClock, _ cancellation: RunCancellation) {
        (self.clock, self.cancellation) = (clock, cancellation)
        perSecond = min(150, 50 * max(1, jobs))
        state = Lock(State(free: max(1, jobs)))
    }

    /// Waits until a scenario in which time has to pass may start.
    func admitWaiting() {
        awaitPhase(0.05...0.25) { [self] second in
            state.withLock { state in
                if state.second != second { (state.second, state.begun) = (second, 0) }
                guard state.begun < perSecond else { return false }
                state.begun += 1
                return true
            }
        }
    }

    /// Waits until a scenario in which no time has to pass may start.
    ///
    /// The caller ends the permit when the scenario ends, or as soon as its origin makes it wait. A permit also ends
    /// after `Permit.length`, so that a long scenario lets another start.
    func admit() -> Permit {
        takePlace()
        awaitPhase(0.05...0.7) { _ in true }
        let permit = Permit { [self] in leavePlace() }
        _ = clock.schedule(after: Permit.length) { permit.end() }
        return permit
    }

    private func awaitPhase(_ phases: ClosedRange<Double>, _ isFree: (Int) -> Bool) {
        let signal = Signal()
        cancellation.raising(signal) {
            while !cancellation.isCancelled {
                let now = clock.wallSeconds
                let phase = now.truncatingRemainder(dividingBy: 1)
                if phases.contains(phase), isFree(Int(now)) { return }
                let begin = phases.lowerBound
                _ = signal.wait(
                    after: 0,
                    until: clock.elapsed + .seconds(phase < begin ? begin - phase : 1 + begin - phase)
                )
            }
        }
    }

    private func takePlace() {
        let signal = Signal()
        let waits = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return false
            }
            state.queue.append(signal)
            return true
        }
        if waits { _ = signal.wait(after: 0) }
    }

    private func leavePlace() {
        let next = state.withLock { state -> Signal? in
            guard !state.queue.isEmpty else {
                state.free += 1
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.raise()
    }
}
