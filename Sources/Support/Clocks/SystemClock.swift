import CLibrary
import Locks

/// The machine's clocks, with one thread that fires the timers of this instance.
///
/// The thread starts with the first timer and ends with the instance.
public final class SystemClock: TimeSource {
    private let thread = TimerThread()

    /// Creates a clock without timers.
    public init() {}

    deinit { thread.stop() }

    /// Wall time since 1970-01-01T00:00:00Z, from CLOCK_REALTIME.
    public var timeSinceEpoch: Duration { Self.read(CLOCK_REALTIME) }

    /// Time since the machine started, from CLOCK_MONOTONIC.
    public var elapsed: Duration { Self.read(CLOCK_MONOTONIC) }

    /// Calls `wake` on the timer thread, `delay` from now.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = thread.add(deadline: elapsed + max(delay, .zero).limited, wake: .call(wake))
        return Sleeper { [thread] in thread.remove(ticket) }
    }

    /// Calls `target` on the timer thread at `deadline`.
    public func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer {
        PendingTimer(thread.add(deadline: deadline, wake: .notify(target)))
    }

    /// Cancels a timer.
    public func cancel(_ timer: PendingTimer) {
        if case .ticket(let ticket) = timer.kind { thread.remove(ticket) }
    }

    static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
