/// A source of time: wall time for the protocol, elapsed time and timers for delays and deadlines.
public protocol TimeSource: AnyObject, Sendable {
    /// Wall time since 1970-01-01T00:00:00Z; may jump in either direction.
    var timeSinceEpoch: Duration { get }

    /// Time since a fixed, arbitrary point; never goes back.
    var elapsed: Duration { get }

    /// Calls `wake` once, `delay` from now, unless the returned sleeper is cancelled first.
    ///
    /// `wake` runs on a thread that the clock chooses, never inside this call, and must not block. A zero or negative
    /// delay is due at once.
    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper

    /// Calls `target` once, when `elapsed` has reached `deadline`, unless the timer is cancelled first.
    ///
    /// Like `schedule(after:_:)`, but without an allocation, for timers that are set often.
    func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer

    /// Cancels a timer of this clock; without effect once it has fired or was cancelled.
    func cancel(_ timer: PendingTimer)
}

extension TimeSource {
    /// Seconds since 1970-01-01T00:00:00Z, with fraction.
    package var wallSeconds: Double { timeSinceEpoch.seconds }
}

extension TimeSource {
    /// Schedules by `schedule(after:_:)`.
    public func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer {
        PendingTimer(schedule(after: deadline.limited - elapsed) { target.timerFired() })
    }

    /// Cancels the sleeper of the timer.
    public func cancel(_ timer: PendingTimer) {
        if case .sleeper(let sleeper) = timer.kind { sleeper.cancel() }
    }
}

extension TimeSource {
    /// Calls `wake` once, when `elapsed` has reached `deadline`, unless the returned sleeper is cancelled first.
    ///
    /// If it has been reached already, `wake` may run inside this call.
    package func schedule(at deadline: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let timer = schedule(TimerCallback(wake), at: deadline.limited)
        return Sleeper { self.cancel(timer) }
    }
}

private final class TimerCallback: TimerTarget {
    private let wake: @Sendable () -> Void

    init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func timerFired() { wake() }
}

extension TimeSource {
    /// Suspends the task for `duration` of this clock's time; throws when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await Sleeper.sleep { wake in schedule(after: duration, wake) }
    }
}
