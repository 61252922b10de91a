/// Where time comes from: wall time for the protocol, elapsed time and wake-ups for delays and deadlines.
public protocol TimeSource: AnyObject, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, with fraction; may jump in either direction.
    var wallSeconds: Double { get }

    /// Time since a fixed, arbitrary moment; never goes back.
    var elapsed: Duration { get }

    /// Calls `wake` once, `delay` from now, unless the returned sleeper is cancelled first.
    ///
    /// `wake` runs on a thread of the clock's choosing, never inside this call, and must not block. A zero or
    /// negative delay is due at once.
    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper

    /// Rings `target` once, when `elapsed` has come to `deadline`, unless that is called off by `cancel` first.
    ///
    /// As `schedule(after:_:)`, for those who set an alarm often: nothing is allocated for it.
    func schedule(_ target: any Ringable, at deadline: Duration) -> Appointment

    /// Calls a ring off that this clock was asked for; without effect once it has begun, and may be repeated.
    func cancel(_ appointment: Appointment)
}

extension TimeSource {
    /// By a wake-up.
    public func schedule(_ target: any Ringable, at deadline: Duration) -> Appointment {
        Appointment(schedule(after: deadline - elapsed) { target.ring() })
    }

    /// By its sleeper.
    public func cancel(_ appointment: Appointment) {
        if case .sleeper(let sleeper) = appointment.kind { sleeper.cancel() }
    }
}

extension TimeSource {
    /// Suspends the task for `duration` of this clock's time; throws when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await Sleeper.sleep { wake in schedule(after: duration, wake) }
    }
}
