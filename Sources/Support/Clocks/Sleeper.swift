import Locks

/// A scheduled callback that can be cancelled.
public final class Sleeper: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a sleeper whose `cancel()` runs `onCancel`.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Cancels the callback; without effect once it has begun or was cancelled.
    public func cancel() {
        onCancel()
    }
}

extension Sleeper {
    /// Suspends the task until the closure that `arrange` receives is called; throws when the task is cancelled.
    ///
    /// If `arrange` returns `nil`, there is nothing to wait for.
    package static func sleep(_ arrange: (@escaping @Sendable () -> Void) -> Sleeper?) async throws {
        let nap = SleepState()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                nap.begin(continuation) { arrange { nap.end(with: nil) } }
            }
        } onCancel: {
            nap.end(with: CancellationError())
        }
    }
}

/// Synchronises a sleeping task with its wake-up and its cancellation, in any order.
private final class SleepState: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var sleeper: Sleeper?
        var outcome: Result<Void, any Error>?
    }
    private let state = Lock(State())

    func begin(_ continuation: CheckedContinuation<Void, any Error>, _ arrange: () -> Sleeper?) {
        let early = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let early { return continuation.resume(with: early) }
        guard let sleeper = arrange() else { return end(with: nil) }
        let ended = state.withLock { state in
            state.sleeper = sleeper
            return state.outcome != nil
        }
        if ended { sleeper.cancel() }
    }

    func end(with error: (any Error)?) {
        let outcome: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let (continuation, sleeper) = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.continuation = nil }
            return (state.continuation, state.sleeper)
        }
        sleeper?.cancel()
        continuation?.resume(with: outcome)
    }
}
