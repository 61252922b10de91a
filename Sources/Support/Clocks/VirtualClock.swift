import Locks

/// A clock that moves only when it is advanced.
///
/// Timers run on the thread that advances the clock, in order of their deadlines, each at its own deadline. A target whose
/// deadline has passed when it is scheduled is called at once.
public final class VirtualClock: TimeSource {
    private struct State {
        var elapsed: Duration = .zero
        var wallOffset: Duration
        var timers = TimerQueue()
        /// Tasks that wait until a timer is pending, by unique numbers.
        var watchers: [Int: CheckedContinuation<Void, Never>] = [:]
        var watcherCount = 0

        /// Adds a timer; returns the tasks to resume that waited for one.
        mutating func add(_ wake: TimerQueue.Wake, at deadline: Duration) -> (
            ticket: TimerQueue.Ticket, watchers: [CheckedContinuation<Void, Never>]
        ) {
            defer { watchers = [:] }
            return (timers.add(deadline: max(deadline, elapsed), wake: wake), Array(watchers.values))
        }
    }
    private let state: Lock<State>

    /// Creates a clock that shows a time since 1970-01-01T00:00:00Z; default 2026-01-01T00:00:00Z.
    public init(timeSinceEpoch: Duration = .seconds(1_767_225_600)) {
        state = Lock(State(wallOffset: timeSinceEpoch.limited))
    }

    /// Creates a clock that shows `wallSeconds` since 1970-01-01T00:00:00Z.
    package convenience init(wallSeconds: Double) {
        self.init(timeSinceEpoch: .saturating(seconds: wallSeconds))
    }

    /// Wall time since 1970-01-01T00:00:00Z.
    public var timeSinceEpoch: Duration { state.withLock { ($0.wallOffset + $0.elapsed).limited } }

    /// The total duration by which the clock has been advanced.
    public var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The earliest deadline of a pending timer, in `elapsed`; `nil` if there is none.
    public var nextDeadline: Duration? { state.withLock { $0.timers.earliest } }

    /// Calls `wake` when the clock has been advanced by `delay`.
    public func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        let ticket = add(.call(wake)) { ($0 + max(delay, .zero).limited).limited }
        return Sleeper { [state] in state.withLock { $0.timers.remove(ticket) } }
    }

    /// Calls `target` when the clock has been advanced to `deadline`, or at once if it has been.
    public func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer {
        let added = state.withLock { state in
            deadline <= state.elapsed ? nil : state.add(.notify(target), at: deadline.limited)
        }
        guard let (ticket, watchers) = added else {
            // The clock was advanced after the caller had computed the deadline, and may not be advanced again.
            target.timerFired()
            return PendingTimer(Sleeper(onCancel: {}))
        }
        for watcher in watchers { watcher.resume() }
        return PendingTimer(ticket)
    }

    private func add(_ wake: TimerQueue.Wake, at deadline: (Duration) -> Duration) -> TimerQueue.Ticket {
        let (ticket, watchers) = state.withLock { $0.add(wake, at: deadline($0.elapsed)) }
        for watcher in watchers { watcher.resume() }
        return ticket
    }

    /// Waits without advancing time until a timer of the clock is pending or the task is cancelled.
    public func waitForSleeper() async {
        let number = state.withLock { state in
            state.watcherCount += 1
            return state.watcherCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.timers.earliest == nil, !Task.isCancelled else { return false }
                    state.watchers[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: number) }?.resume()
        }
    }

    /// Cancels a timer.
    public func cancel(_ timer: PendingTimer) {
        if case .ticket(let ticket) = timer.kind { state.withLock { $0.timers.remove(ticket) } }
    }

    /// Advances the clock by `duration` and fires, one after another, the timers that become due.
    public func advance(by duration: Duration) {
        let target = state.withLock { ($0.elapsed + max(duration, .zero).limited).limited }
        while let wake = nextDue(until: target) { wake() }
        state.withLock { $0.elapsed = max($0.elapsed, target) }
    }

    /// Advances the clock to the earliest deadline and fires its timers; returns false if no timer is pending.
    @discardableResult
    public func advanceToNextDeadline() -> Bool {
        guard let deadline = nextDeadline else { return false }
        advance(by: deadline - elapsed)
        return true
    }

    /// Sets the wall clock forward, or back by a negative duration, without any time passing.
    public func jump(by duration: Duration) {
        state.withLock { $0.wallOffset = ($0.wallOffset + duration.limited).limited }
    }

    private func nextDue(until target: Duration) -> TimerQueue.Wake? {
        state.withLock { state in
            guard let due = state.timers.popDue(at: target) else { return nil }
            state.elapsed = max(state.elapsed, due.deadline)
            return due.wake
        }
    }
}
