import Clocks
import Locks

/// Waits in real time; used on the thread that takes the scenario's steps.
struct RealTimeDriver: ScenarioClockDriver {
    let clock: SystemClock
    let signal: Signal
    /// After which a wait is given up.
    var patience: Duration
    /// Moves the subject's clock and the origin's; `nil` where time has to pass by itself.
    var leap: ((Duration) throws(SubjectError) -> Void)?
    /// When what was last waited for had come, by `clock`.
    private let mark: Lock<Duration>
    /// Whether the origin is answering.
    private let isOriginBusy: @Sendable () -> Bool

    init(
        clock: SystemClock,
        signal: Signal,
        patience: Duration,
        leap: ((Duration) throws(SubjectError) -> Void)? = nil,
        isOriginBusy: @escaping @Sendable () -> Bool
    ) {
        (self.clock, self.signal, self.patience, self.leap) = (clock, signal, patience, leap)
        self.isOriginBusy = isOriginBusy
        mark = Lock(clock.elapsed)
    }

    func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        let deadline = clock.elapsed + patience
        while true {
            let seen = signal.count
            if isDone() { return note(clock.elapsed) }
            guard signal.wait(after: seen, until: deadline) else {
                throw HarnessProblem("given up after \(secondsText(patience.seconds)): \(what())")
            }
        }
    }

    /// A subject outside the process may still be at work; what the origin is still answering is all that can be
    /// seen of that, and what it does for ever is not waited for.
    func settle() throws(HarnessProblem) {
        let deadline = clock.elapsed + .milliseconds(200)
        while true {
            let seen = signal.count
            guard isOriginBusy() else { return }
            let isInTime = signal.wait(after: seen, until: deadline)
            note(clock.elapsed)
            guard isInTime else { return }
        }
    }

    /// Waits until `duration` has passed since what was last waited for had come, and a little more.
    ///
    /// So whatever was stored by then is as old as the scenario says by the clock of any cache, and not a moment
    /// younger; and a cache that counts whole seconds counts as many, as all of it happens early in a second.
    func advance(by duration: Duration) throws(HarnessProblem) {
        if let leap {
            do throws(SubjectError) { return try leap(duration) } catch {
                throw HarnessProblem(error.description)
            }
        }
        let deadline = mark.withLock { $0 } + duration + Self.margin
        while true {
            let seen = signal.count
            guard signal.wait(after: seen, until: deadline) else { return note(deadline) }
        }
    }

    private static let margin = Duration.milliseconds(30)

    private func note(_ moment: Duration) {
        mark.withLock { $0 = max($0, moment) }
    }

    func jumpWall(by duration: Duration) {}
}
