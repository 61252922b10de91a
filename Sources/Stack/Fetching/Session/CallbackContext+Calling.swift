extension CallbackContext {
    /// Calls a callback in this context, and returns when the callback has returned.
    func call(_ callback: @escaping @Sendable () -> Void) async {
        switch self {
        case .anywhere: callback()
        case .main: await MainActor.run { callback() }
        case .executor(let executor): await Task(executorPreference: executor) { callback() }.value
        case .serial(let executor): await Caller(executor).call(callback)
        }
    }

    /// Runs callbacks on a serial executor, which it retains.
    private actor Caller {
        private let executor: any SerialExecutor

        init(_ executor: any SerialExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func call(_ callback: @Sendable () -> Void) { callback() }
    }
}
