import Clocks
import Locks
import MockOrigin

/// Waits in real time; used on the thread that runs the scenario's steps.
struct RealTimeDriver: ScenarioClockDriver {
    let clock: SystemClock
    let signal: Signal
    /// The time limit of a wait.
    var timeout: Duration
    /// Moves the subject's clock and the origin's; `nil` if time has to pass by itself.
    var advanceSubject: ((Duration) throws(SubjectError) -> Void)?
    /// When the last awaited event happened, by `clock`.
    private let mark: Lock<Duration>
    /// Returns whether the run is cancelled, which raises `signal`.
    private let isCancelled: @Sendable () -> Bool
    /// Returns whether the origin is responding to a request.
    private let isOriginBusy: @Sendable () -> Bool

    init(
        clock: SystemClock,
        signal: Signal,
        timeout: Duration,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        isOriginBusy: @escaping @Sendable () -> Bool
    ) {
        (self.clock, self.signal, self.timeout) = (clock, signal, timeout)
        self.isCancelled = isCancelled
        self.isOriginBusy = isOriginBusy
        mark = Lock(clock.elapsed)
    }

    func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        let deadline = clock.elapsed + timeout
        while true {
            let seen = signal.count
            if isDone() { return note(clock.elapsed) }
            if isCancelled() { throw .runCancelled }
            guard signal.wait(after: seen, until: deadline) else {
                throw HarnessProblem("gave up after \(secondsText(timeout.seconds)): \(what())")
            }
        }
    }

    /// Waits up to 200 ms while the origin is responding.
    ///
    /// A subject outside the process may still be active; the origin's responses are the only visible sign of that. The
    /// limit is for responses that never end.
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

    /// Waits until `duration` and a small margin have passed since the last awaited event.
    ///
    /// Whatever was stored by then is therefore at least as old as the scenario specifies, by the clock of any cache. A
    /// cache that counts whole seconds counts the same number, because all steps happen early in a second.
    func advance(by duration: Duration) throws(HarnessProblem) {
        if let advanceSubject {
            do throws(SubjectError) { return try advanceSubject(duration) } catch {
                throw HarnessProblem(error.description)
            }
        }
        let deadline = mark.withLock { $0 } + duration + Self.margin
        while true {
            let seen = signal.count
            if isCancelled() { throw .runCancelled }
            guard signal.wait(after: seen, until: deadline) else { return note(deadline) }
        }
    }

    private static let margin = Duration.milliseconds(30)

    private func note(_ moment: Duration) {
        mark.withLock { $0 = max($0, moment) }
    }

    func jumpWall(by duration: Duration) {}

    /// Returns at once: what the subject has seen is unknown.
    func awaitRest(of namespace: OriginNamespace) {}

    let clockMoves: [ClockMove] = []
}
