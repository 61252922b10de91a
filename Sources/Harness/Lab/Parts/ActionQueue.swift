import Locks

/// Runs functions one after another, in the order of the calls.
///
/// They run on a separate executor, so that a program whose tasks block can still use the lab.
final class ActionQueue: Sendable {
    private let executor: (any TaskExecutor)?
    private let wait = Lock<(@Sendable () async -> Void)?>(nil)

    init(on executor: (any TaskExecutor)?) { self.executor = executor }

    /// Waits for the earlier functions, runs this one, and returns its value.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = wait.withLock { wait in
            let task = Task(executorPreference: executor) { [wait] in
                await wait?()
                return await work()
            }
            wait = { _ = await task.value }
            return task
        }
        return await task.value
    }
}
