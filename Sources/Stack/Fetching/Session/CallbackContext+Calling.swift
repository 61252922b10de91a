extension CallbackContext {
    /// Calls a callback where it is to be called, and returns when it has returned.
    func call(_ callback: @escaping @Sendable () -> Void) async {
        switch self {
        case .anywhere: callback()
        case .main: await MainActor.run { callback() }
        case .executor(let executor): await Task(executorPreference: executor) { callback() }.value
        case .serial(let executor): await Caller(executor).call(callback)
        }
    }

    /// Runs callbacks on somebody's serial executor, which it keeps.
    private actor Caller {
        private let executor: any SerialExecutor

        init(_ executor: any SerialExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func call(_ callback: @Sendable () -> Void) { callback() }
    }
}
