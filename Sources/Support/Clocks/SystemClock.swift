#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Locks

/// The machine's own clocks, with one thread that wakes the sleepers of this instance.
///
/// The thread starts with the first wake-up and ends with the instance.
public final class SystemClock: TimeSource {
    private let alarm = AlarmThread()

    /// Creates a clock that has no sleepers.
    public init() {}

    deinit { alarm.stop() }

    /// Seconds since 1970-01-01T00:00:00Z, from CLOCK_REALTIME.
    public var wallSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Time since the machine started, from CLOCK_MONOTONIC.
    public var elapsed: Duration { Self.read(CLOCK_MONOTONIC) }

    /// Calls `wake` on the alarm thread, `delay` from now.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = alarm.add(deadline: elapsed + max(delay, .zero), wake: .call(wake))
        return Sleeper { [alarm] in alarm.remove(ticket) }
    }

    /// Rings `target` on the alarm thread.
    public func schedule(_ target: any Ringable, at deadline: Duration) -> Appointment {
        Appointment(alarm.add(deadline: deadline, wake: .ring(target)))
    }

    /// Calls a ring off.
    public func cancel(_ appointment: Appointment) {
        if case .ticket(let ticket) = appointment.kind { alarm.remove(ticket) }
    }

    static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
