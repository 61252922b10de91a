import Locks

/// Waits on the calling thread, which may block and must not be one of the executor's, for an asynchronous call.
///
/// Returns `nil` if the run is cancelled before the call has ended; its task is then cancelled, too.
func waiting<Value: Sendable>(
    on executor: any TaskExecutor,
    until cancellation: RunCancellation,
    for call: @escaping @Sendable () async -> Value
) -> Value? {
    let signal = Signal()
    let outcome = Lock<Value?>(nil)
    let task = Task(executorPreference: executor) {
        let value = await call()
        outcome.withLock { $0 = value }
        signal.raise()
    }
    return cancellation.raising(signal) {
        while true {
            let seen = signal.count
            if let value = outcome.withLock({ $0 }) { return value }
            if cancellation.isCancelled {
                task.cancel()
                return nil
            }
            _ = signal.wait(after: seen)
        }
    }
}

/// Waits on the calling thread, which may block and must not be one of the executor's, for an asynchronous call.
func waiting<Value: Sendable>(
    on executor: any TaskExecutor,
    for call: @escaping @Sendable () async -> Value
) -> Value {
    let signal = Signal()
    let outcome = Lock<Value?>(nil)
    Task(executorPreference: executor) {
        let value = await call()
        outcome.withLock { $0 = value }
        signal.raise()
    }
    while true {
        let seen = signal.count
        if let value = outcome.withLock({ $0 }) { return value }
        _ = signal.wait(after: seen)
    }
}
