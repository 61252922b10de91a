import Locks

/// A clock that stands still until it is told to move.
///
/// Wake-ups run on the thread that moves the clock, in order of their deadlines, each at its own deadline.
public final class VirtualClock: TimeSource {
    private struct State {
        var elapsed: Duration = .zero
        var wallOffset: Double
        var agenda = Agenda()
        /// Tasks that wait until somebody sleeps, by numbers that tell them apart.
        var watchers: [Int: CheckedContinuation<Void, Never>] = [:]
        var watcherCount = 0

        /// Adds a wake-up; whoever waited for one is to be resumed.
        mutating func add(_ wake: Agenda.Wake, at deadline: Duration) -> (
            ticket: Agenda.Ticket, watchers: [CheckedContinuation<Void, Never>]
        ) {
            defer { watchers = [:] }
            return (agenda.add(deadline: max(deadline, elapsed), wake: wake), Array(watchers.values))
        }
    }
    private let state: Lock<State>

    /// Creates a clock that stands at `wallSeconds` since 1970-01-01T00:00:00Z.
    public init(wallSeconds: Double) {
        state = Lock(State(wallOffset: wallSeconds))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var wallSeconds: Double {
        state.withLock { $0.wallOffset + $0.elapsed.seconds }
    }

    /// Time by which the clock has been moved since it was made.
    public var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The earliest moment, in `elapsed`, that somebody sleeps until; `nil` when nobody sleeps.
    public var nextDeadline: Duration? { state.withLock { $0.agenda.earliest } }

    /// Calls `wake` when the clock has been moved by `delay`.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = add(.call(wake)) { $0 + max(delay, .zero) }
        return Sleeper { [state] in state.withLock { $0.agenda.remove(ticket) } }
    }

    /// Rings `target` when the clock has been moved to `deadline`.
    public func schedule(_ target: any Ringable, at deadline: Duration) -> Appointment {
        Appointment(add(.ring(target)) { _ in deadline })
    }

    private func add(_ wake: Agenda.Wake, at deadline: (Duration) -> Duration) -> Agenda.Ticket {
        let (ticket, watchers) = state.withLock { $0.add(wake, at: deadline($0.elapsed)) }
        for watcher in watchers { watcher.resume() }
        return ticket
    }

    /// Waits, without time passing, until somebody sleeps on the clock or the task is cancelled.
    public func waitForSleeper() async {
        let number = state.withLock { state in
            state.watcherCount += 1
            return state.watcherCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.agenda.earliest == nil, !Task.isCancelled else { return false }
                    state.watchers[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: number) }?.resume()
        }
    }

    /// Calls a ring off.
    public func cancel(_ appointment: Appointment) {
        if case .ticket(let ticket) = appointment.kind { state.withLock { $0.agenda.remove(ticket) } }
    }

    /// Moves the clock on by `duration` and wakes, one after another, everybody whose deadline is passed.
    public func advance(by duration: Duration) {
        let target = state.withLock { $0.elapsed + max(duration, .zero) }
        while let wake = nextDue(until: target) { wake() }
        state.withLock { $0.elapsed = max($0.elapsed, target) }
    }

    /// Moves the clock to the earliest deadline and wakes whoever sleeps until then; false when nobody sleeps.
    @discardableResult
    public func advanceToNextDeadline() -> Bool {
        guard let deadline = nextDeadline else { return false }
        advance(by: deadline - elapsed)
        return true
    }

    /// Sets the wall clock by `seconds`, forward or back, without any time passing.
    public func jump(bySeconds seconds: Double) {
        state.withLock { $0.wallOffset += seconds }
    }

    private func nextDue(until target: Duration) -> Agenda.Wake? {
        state.withLock { state in
            guard let due = state.agenda.popDue(at: target) else { return nil }
            state.elapsed = max(state.elapsed, due.deadline)
            return due.wake
        }
    }
}
