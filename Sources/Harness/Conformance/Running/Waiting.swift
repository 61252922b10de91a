import Locks

/// Waits on the calling thread, which may block and must not be one of the executor's, for an asynchronous call.
///
/// Returns `nil` if the run is cancelled before the call has ended; its task is then cancelled, too.
func waiting<Value: Sendable>(
    on executor: (any TaskExecutor)?,
    until cancellation: RunCancellation,
    for call: @escaping @Sendable () async -> Value
) -> Value? {
    let pending = AwaitedCall(on: executor, call)
    return cancellation.raising(pending.signal) { pending.value { cancellation.isCancelled } }
}

/// Waits on the calling thread, which may block and must not be one of the executor's, for an asynchronous call.
func waiting<Value: Sendable>(
    on executor: (any TaskExecutor)?,
    for call: @escaping @Sendable () async -> Value
) -> Value {
    let pending = AwaitedCall(on: executor, call)
    while true {
        if let value = pending.value(unless: { false }) { return value }
    }
}

/// An asynchronous call for which a thread waits.
private struct AwaitedCall<Value: Sendable> {
    let signal = Signal()
    private let outcome = Lock<Value?>(nil)
    private let task: Task<Void, Never>

    init(on executor: (any TaskExecutor)?, _ call: @escaping @Sendable () async -> Value) {
        task = Task(executorPreference: executor) { [signal, outcome] in
            let value = await call()
            outcome.withLock { $0 = value }
            signal.raise()
        }
    }

    /// Waits for the outcome; `nil` if the call was cancelled before.
    func value(unless isCancelled: () -> Bool) -> Value? {
        while true {
            let seen = signal.count
            if let value = outcome.withLock({ $0 }) { return value }
            if isCancelled() {
                task.cancel()
                return nil
            }
            _ = signal.wait(after: seen)
        }
    }
}
