import Clocks

/// Waits in real time; used on the thread that takes the scenario's steps.
struct RealTimeDriver: StageDriver {
    let clock: SystemClock
    let signal: Signal
    /// After which a wait is given up.
    var patience: Duration
    /// Moves the subject's clock and the origin's; `nil` where time has to pass by itself.
    var leap: ((Duration) throws(SubjectError) -> Void)?
    /// When the scenario began, by `clock`.
    var begin: Duration
    /// Whether the origin is answering.
    let isOriginBusy: @Sendable () -> Bool

    func wait(for what: String, until isDone: () -> Bool) throws(HarnessProblem) {
        let deadline = clock.elapsed + patience
        while true {
            let seen = signal.count
            if isDone() { return }
            guard signal.wait(after: seen, until: deadline) else {
                throw HarnessProblem("given up after \(secondsText(patience.seconds)): \(what)")
            }
        }
    }

    /// A subject outside the process may still be at work; what the origin is still answering is all that can be
    /// seen of that, and what it does for ever is not waited for.
    func settle() throws(HarnessProblem) {
        let deadline = clock.elapsed + .milliseconds(200)
        while true {
            let seen = signal.count
            guard isOriginBusy(), signal.wait(after: seen, until: deadline) else { return }
        }
    }

    func advance(by duration: Duration) throws(HarnessProblem) {
        if let leap {
            do throws(SubjectError) { return try leap(duration) } catch {
                throw HarnessProblem(error.description)
            }
        }
        let deadline = inStep(clock.elapsed + duration)
        while true {
            let seen = signal.count
            guard signal.wait(after: seen, until: deadline) else { return }
        }
    }

    /// Returns the moment nearest to one that is whole seconds after the scenario's beginning.
    ///
    /// What requests take besides would add up, and a wait of the lifetime of a response would end in the second after it.
    private func inStep(_ moment: Duration) -> Duration {
        let drift = (moment - begin).seconds.truncatingRemainder(dividingBy: 1)
        return moment + .seconds(drift < 0.5 ? -drift : 1 - drift)
    }

    func jumpWall(by duration: Duration) {}
}
