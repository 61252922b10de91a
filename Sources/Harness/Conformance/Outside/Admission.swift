import Clocks
import Locks

/// Lets scenarios begin against a subject outside the process so that no verdict depends on how busy the machine is.
///
/// Caches count whole seconds, and so do scenarios: what is asked late in a second is answered in this one or the next.
/// So all begin early in one. Those in which time has to pass are not many at a time; of the others, which can wait, no
/// more are at work than there are jobs.
final class Admission: Sendable {
    private struct State {
        var second = 0
        var begun = 0
        var free: Int
        var queue: [Signal] = []
    }
    private let clock: SystemClock
    private let perSecond: Int
    private let state: Lock<State>

    init(jobs: Int, clock: SystemClock) {
        self.clock = clock
        perSecond = min(150, 50 * max(1, jobs))
        state = Lock(State(free: max(1, jobs)))
    }

    /// Waits until a scenario in which time has to pass may begin.
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

    /// Waits until a scenario in which no time has to pass may begin.
    ///
    /// Its turn is to be ended with it, or as soon as its origin lets it wait; one that takes long lets another begin before.
    func admit() -> RequestPermit {
        takePlace()
        awaitPhase(0.05...0.7) { _ in true }
        let turn = RequestPermit { [self] in leavePlace() }
        _ = clock.schedule(after: RequestPermit.length) { turn.end() }
        return turn
    }

    private func awaitPhase(_ phases: ClosedRange<Double>, _ isFree: (Int) -> Bool) {
        let signal = Signal()
        while true {
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
