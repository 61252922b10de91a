import Locks

/// A clock that follows another, can be moved ahead of it, and can be made to stand.
///
/// Wake-ups that the followed clock causes run where it runs them; those that are passed by a move run on the thread
/// that moves, in order of their deadlines, each at its own deadline.
public final class MovableClock: SteerableClock {
    /// A moment on both of its scales.
    private struct Moment {
        var elapsed: Duration
        var wallSeconds: Double

        mutating func move(by duration: Duration) {
            elapsed += duration
            wallSeconds += duration.seconds
        }
    }
    private struct State {
        /// How far ahead of the followed clock it is.
        var lead = Moment(elapsed: .zero, wallSeconds: 0)
        /// Where it stands; `nil` while it runs.
        var standing: Moment?
        var agenda = Agenda()
        var alarm: (deadline: Duration, sleeper: Sleeper)?

        mutating func move(by duration: Duration) {
            if standing == nil { lead.move(by: duration) } else { standing?.move(by: duration) }
        }
    }
    private let followed: any TimeSource
    private let state = Lock(State())

    /// Creates a clock that shows what another shows.
    public init(following clock: any TimeSource) {
        followed = clock
    }

    deinit { state.withLock { $0.alarm }?.sleeper.cancel() }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var wallSeconds: Double { state.withLock { now($0).wallSeconds } }

    /// Time of the followed clock, and what this one was moved by.
    public var elapsed: Duration { state.withLock { now($0).elapsed } }

    /// Whether time passes without `advance(by:)`.
    public var isRunning: Bool { state.withLock { $0.standing == nil } }

    /// Calls `wake` when `delay` has passed, by itself or by a move.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = state.withLock { state in
            defer { arm(&state) }
            return state.agenda.add(deadline: now(state).elapsed + max(delay, .zero), wake: .call(wake))
        }
        return Sleeper { [weak self] in self?.remove(ticket) }
    }

    /// Moves the clock on by `duration` and wakes, one after another, everybody whose deadline is passed.
    public func advance(by duration: Duration) {
        var remaining = max(duration, .zero)
        while let wake = step(&remaining) { wake() }
        state.withLock { state in
            state.move(by: remaining)
            arm(&state)
        }
        wakeDue()
    }

    /// Makes the clock stand where it is; may be repeated.
    public func stop() {
        state.withLock { state in
            state.standing = now(state)
            arm(&state)
        }
    }

    /// Lets time pass again, from where the clock stands.
    public func run() {
        state.withLock { state in
            guard let standing = state.standing else { return }
            state.lead.elapsed = standing.elapsed - followed.elapsed
            state.lead.wallSeconds = standing.wallSeconds - followed.wallSeconds
            state.standing = nil
            arm(&state)
        }
    }

    private func now(_ state: State) -> Moment {
        state.standing
            ?? Moment(
                elapsed: followed.elapsed + state.lead.elapsed,
                wallSeconds: followed.wallSeconds + state.lead.wallSeconds
            )
    }

    /// Moves to the next deadline within what remains of a move, and returns its wake-up.
    private func step(_ remaining: inout Duration) -> Agenda.Wake? {
        state.withLock { state in
            let now = now(state).elapsed
            guard let due = state.agenda.popDue(at: now + remaining) else { return nil }
            let part = min(max(due.deadline - now, .zero), remaining)
            state.move(by: part)
            remaining -= part
            return due.wake
        }
    }

    private func wakeDue() {
        var nothing = Duration.zero
        while let wake = step(&nothing) { wake() }
        state.withLock { arm(&$0) }
    }

    private func remove(_ ticket: Agenda.Ticket) {
        state.withLock { state in
            state.agenda.remove(ticket)
            arm(&state)
        }
    }

    /// Has the followed clock call at the earliest deadline.
    private func arm(_ state: inout State) {
        let deadline = state.standing == nil ? state.agenda.earliest.map { $0 - state.lead.elapsed } : nil
        guard state.alarm?.deadline != deadline else { return }
        state.alarm?.sleeper.cancel()
        state.alarm = deadline.map { deadline in
            let sleeper = followed.schedule(after: deadline - followed.elapsed) { [weak self] in
                self?.alarmed(deadline)
            }
            return (deadline, sleeper)
        }
    }

    private func alarmed(_ deadline: Duration) {
        state.withLock { state in
            if state.alarm?.deadline == deadline { state.alarm = nil }
        }
        wakeDue()
    }
}
