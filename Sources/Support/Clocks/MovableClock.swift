import Locks

/// A clock that follows another, and can be advanced and stopped.
///
/// Timers that become due because the followed clock moves run on that clock's thread. Timers that become due through
/// `advance(by:)` run on the calling thread, in order of their deadlines, each at its own deadline.
public final class MovableClock: AdvanceableClock {
    /// A time as wall time and as elapsed time.
    private struct Moment {
        var elapsed: Duration
        var timeSinceEpoch: Duration

        mutating func move(by duration: Duration) {
            elapsed = (elapsed + duration.limited).limited
            timeSinceEpoch = (timeSinceEpoch + duration.limited).limited
        }
    }
    private struct State {
        /// The time by which this clock is ahead of the followed one.
        var lead = Moment(elapsed: .zero, timeSinceEpoch: .zero)
        /// The time at which it is stopped; `nil` while it runs.
        var standing: Moment?
        var timers = TimerQueue()
        var timer: (deadline: Duration, sleeper: Sleeper)?

        mutating func move(by duration: Duration) {
            if standing == nil { lead.move(by: duration) } else { standing?.move(by: duration) }
        }
    }
    /// The clock whose time this one shows, as long as it is not moved.
    package let followed: any TimeSource
    private let state = Lock(State())

    /// Creates a clock that shows the time of another.
    public init(following clock: any TimeSource) {
        followed = clock
    }

    deinit { state.withLock { $0.timer }?.sleeper.cancel() }

    /// Wall time since 1970-01-01T00:00:00Z.
    public var timeSinceEpoch: Duration { state.withLock { now($0).timeSinceEpoch } }

    /// The elapsed time of the followed clock, plus the durations by which this one was advanced.
    public var elapsed: Duration { state.withLock { now($0).elapsed } }

    /// Whether the clock runs, so that time passes without `advance(by:)`.
    public var isRunning: Bool { state.withLock { $0.standing == nil } }

    /// Calls `wake` when `delay` has passed, whether time passed by itself or by `advance(by:)`.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = state.withLock { state in
            defer { arm(&state) }
            return state.timers.add(
                deadline: (now(state).elapsed + max(delay, .zero).limited).limited,
                wake: .call(wake)
            )
        }
        return Sleeper { [weak self] in self?.remove(ticket) }
    }

    /// Calls `target` at `deadline`, or at once, inside this call, if that has passed.
    public func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer {
        let ticket: TimerQueue.Ticket? = state.withLock { state in
            if deadline <= now(state).elapsed { return nil }
            defer { arm(&state) }
            return state.timers.add(deadline: deadline.limited, wake: .notify(target))
        }
        guard let ticket else {
            target.timerFired()
            return PendingTimer(Sleeper(onCancel: {}))
        }
        return PendingTimer(Sleeper { [weak self] in self?.remove(ticket) })
    }

    /// Advances the clock by `duration` and fires, one after another, the timers that become due.
    public func advance(by duration: Duration) {
        var remaining = max(duration, .zero).limited
        while let wake = step(&remaining) { wake() }
        state.withLock { state in
            state.move(by: remaining)
            arm(&state)
        }
        fireDue()
    }

    /// Stops the clock; without effect on a stopped one.
    public func stop() {
        state.withLock { state in
            state.standing = now(state)
            arm(&state)
        }
    }

    /// Starts the clock again, from the time that it shows.
    public func run() {
        state.withLock { state in
            guard let standing = state.standing else { return }
            state.lead.elapsed = standing.elapsed - followed.elapsed
            state.lead.timeSinceEpoch = standing.timeSinceEpoch - followed.timeSinceEpoch
            state.standing = nil
            arm(&state)
        }
    }

    private func now(_ state: State) -> Moment {
        state.standing
            ?? Moment(
                elapsed: (followed.elapsed + state.lead.elapsed).limited,
                timeSinceEpoch: (followed.timeSinceEpoch + state.lead.timeSinceEpoch).limited
            )
    }

    /// Advances to the next deadline within the rest of an advance, and returns its timer.
    private func step(_ remaining: inout Duration) -> TimerQueue.Wake? {
        state.withLock { state in
            let now = now(state).elapsed
            guard let due = state.timers.popDue(at: now + remaining) else { return nil }
            let part = min(max(due.deadline - now, .zero), remaining)
            state.move(by: part)
            remaining -= part
            return due.wake
        }
    }

    private func fireDue() {
        var nothing = Duration.zero
        while let wake = step(&nothing) { wake() }
        state.withLock { arm(&$0) }
    }

    private func remove(_ ticket: TimerQueue.Ticket) {
        state.withLock { state in
            state.timers.remove(ticket)
            arm(&state)
        }
    }

    /// Sets a timer of the followed clock for the earliest deadline.
    private func arm(_ state: inout State) {
        let deadline = state.standing == nil ? state.timers.earliest.map { $0 - state.lead.elapsed } : nil
        guard state.timer?.deadline != deadline else { return }
        state.timer?.sleeper.cancel()
        state.timer = deadline.map { deadline in
            let sleeper = followed.schedule(after: deadline - followed.elapsed) { [weak self] in
                self?.timerFired(deadline)
            }
            return (deadline, sleeper)
        }
    }

    private func timerFired(_ deadline: Duration) {
        state.withLock { state in
            if state.timer?.deadline == deadline { state.timer = nil }
        }
        fireDue()
    }
}
