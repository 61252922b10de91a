import Clocks
import Locks

/// Suspends a transfer before its content is written, and applies the inactivity timeout, which pauses while
/// the transfer is suspended.
final class TransferSuspension: Sendable {
    private struct State {
        var isSuspended = false
        var waiter: CheckedContinuation<Void, Never>?
        var sleeper: Sleeper?
        var armed: UInt64 = 0
        /// Whether the transfer waits for something that the timeout limits, suspended or not.
        var isTiming = false
    }
    private let clock: any TimeSource
    private let timeout: Duration?
    private let onTimeout: @Sendable () -> Void
    private let state = Lock(State())

    init(clock: any TimeSource, timeout: Duration?, onTimeout: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.timeout = timeout
        self.onTimeout = onTimeout
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Suspends the transfer; returns `false` if it was suspended already.
    func begin() -> Bool {
        let (did, sleeper) = state.withLock { state -> (Bool, Sleeper?) in
            guard !state.isSuspended else { return (false, nil) }
            state.isSuspended = true
            state.armed += 1
            defer { state.sleeper = nil }
            return (true, state.sleeper)
        }
        sleeper?.cancel()
        return did
    }

    /// Resumes the transfer, and the inactivity timeout if it was not stopped; returns `false` if it was not suspended.
    func end() -> Bool {
        let (did, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.isSuspended else { return (false, nil) }
            state.isSuspended = false
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        if did { schedule() }
        waiter?.resume()
        return did
    }

    /// Starts the inactivity timeout, unless the task is cancelled.
    func startTimer() {
        guard !Task.isCancelled else { return }
        state.withLock { $0.isTiming = true }
        schedule()
    }

    /// Schedules the timeout anew, unless it is stopped or the transfer is suspended.
    private func schedule() {
        guard let timeout else { return }
        let number = state.withLock { state -> UInt64? in
            guard state.isTiming, !state.isSuspended else { return nil }
            state.armed += 1
            return state.armed
        }
        guard let number else { return }
        let sleeper = clock.schedule(after: timeout) { [weak self] in self?.timerFired(number) }
        let before = state.withLock { state -> Sleeper? in
            guard state.armed == number else { return sleeper }
            defer { state.sleeper = sleeper }
            return state.sleeper
        }
        before?.cancel()
    }

    /// Stops the inactivity timeout.
    func stopTimer() {
        let sleeper = state.withLock { state in
            state.isTiming = false
            state.armed += 1
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Waits while the transfer is suspended, or until the task is cancelled.
    func waitUntilResumed() async {
        guard isSuspended else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.isSuspended, !Task.isCancelled else { return false }
                    state.waiter = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }

    private func timerFired(_ number: UInt64) {
        let isDue = state.withLock { $0.armed == number && !$0.isSuspended }
        if isDue { onTimeout() }
    }
}
