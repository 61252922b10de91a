import Clocks
import Locks

/// The limit on a request's wait for another's exchange: its own deadline or its own cancellation.
final class WaitLimit: Sendable {
    private struct State {
        var error: TransportError?
        var leave: (@Sendable () -> Void)?
        var sleeper: Sleeper?
    }
    private let state = Lock(State())

    init(_ timeout: Duration?, clock: any TimeSource) {
        guard let timeout else { return }
        let sleeper = clock.schedule(after: timeout) { [weak self] in
            self?.end(TransportError(.timedOut, "Nothing arrived for \(timeout.secondsText) s."))
        }
        state.withLock { $0.sleeper = sleeper }
    }

    deinit { state.withLock { $0.sleeper }?.cancel() }

    /// The reason why the wait is over; `nil` if it is not.
    var error: TransportError? { state.withLock { $0.error } }
    var isOver: Bool { error != nil }

    /// Runs `wait`; `leave` must end it, and is called when the limit is reached first.
    func whileWaiting(leave: @escaping @Sendable () -> Void, wait: () async -> Void) async {
        state.withLock { $0.leave = leave }
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            end(.requestCancelled)
        }
        state.withLock { $0.leave = nil }
    }

    private func end(_ error: TransportError) {
        let leave = state.withLock { state in
            if state.error == nil { state.error = error }
            return state.leave
        }
        leave?()
    }
}
