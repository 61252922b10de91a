import Clocks
import Locks

/// The limit on a request's wait for another's exchange: its own timeout, which every arrival in that exchange restarts,
/// or its own cancellation.
final class WaitLimit: Sendable {
    private struct State {
        var error: TransportError?
        var leave: (@Sendable () -> Void)?
        var lastArrival: (@Sendable () -> Duration?)?
        var sleeper: Sleeper?
    }
    private let timeout: Duration?
    private let deadline: Duration?
    private let clock: any TimeSource
    private let state = Lock(State())

    /// Creates a limit; `deadline` is the time at which the wait ends regardless of arrivals.
    init(_ timeout: Duration?, until deadline: Duration?, clock: any TimeSource) {
        self.timeout = timeout
        self.deadline = deadline
        self.clock = clock
        if let rest = rest(timeout) { startTimer(after: rest) }
    }

    deinit { state.withLock { $0.sleeper }?.cancel() }

    /// The reason why the wait is over; `nil` if it is not.
    var error: TransportError? { state.withLock { $0.error } }
    var isFinished: Bool { error != nil }

    /// Runs `wait`; `leave` must end it, and is called when the limit is reached first.
    ///
    /// `lastArrival` returns when something last arrived in the exchange, on the clock's elapsed time.
    func whileWaiting(
        lastArrival: @escaping @Sendable () -> Duration?,
        leave: @escaping @Sendable () -> Void,
        wait: () async -> Void
    ) async {
        state.withLock { ($0.leave, $0.lastArrival) = (leave, lastArrival) }
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            end(.requestCancelled)
        }
        state.withLock { ($0.leave, $0.lastArrival) = (nil, nil) }
    }

    private func startTimer(after duration: Duration) {
        let sleeper = clock.schedule(after: duration) { [weak self] in self?.timerFired() }
        state.withLock { $0.sleeper = sleeper }
    }

    /// Restarts the timer for the remaining time, because arrivals do not move the timer.
    private func timerFired() {
        if let deadline, deadline <= clock.elapsed { return end(.overdue) }
        guard let timeout else {
            if let rest = rest(nil) { startTimer(after: rest) }
            return
        }
        if let arrival = state.withLock({ $0.lastArrival })?() {
            let idle = arrival + timeout.limited - clock.elapsed
            if idle > .zero { return startTimer(after: rest(idle) ?? idle) }
        }
        end(TransportError(.timedOut, "Nothing arrived for \(timeout.secondsText) s."))
    }

    /// Returns the time to wait until `idle` or the deadline is over; `nil` without either.
    private func rest(_ idle: Duration?) -> Duration? {
        guard let deadline else { return idle }
        let left = max(deadline - clock.elapsed, .zero)
        return idle.map { min($0, left) } ?? left
    }

    private func end(_ error: TransportError) {
        let leave = state.withLock { state in
            if state.error == nil { state.error = error }
            return state.leave
        }
        leave?()
    }
}
