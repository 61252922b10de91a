import Locks

/// The cancellation of a run from another thread: nothing more starts, and threads that wait are woken.
final class RunCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var signals: [ObjectIdentifier: Signal] = [:]
    }
    private let state = Lock(State())

    /// Whether the run is cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the run; further calls have no effect.
    func cancel() {
        let signals = state.withLock { state in
            state.isCancelled = true
            return Array(state.signals.values)
        }
        for signal in signals { signal.raise() }
    }

    /// Runs `body`, and raises `signal` if the run is cancelled meanwhile.
    func raising<Result, Failure: Error>(
        _ signal: Signal,
        during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let key = ObjectIdentifier(signal)
        state.withLock { $0.signals[key] = signal }
        defer { state.withLock { $0.signals[key] = nil } }
        return try body()
    }
}
