import Threads

extension Runner {
    /// Runs everything that is selected, on a separate thread, and returns the counts.
    ///
    /// Throws if nothing is selected, or a server or the subject cannot be started. If the task is cancelled, the run
    /// stops without waiting for scenarios to end, and an error whose `isCancellation` is true is thrown once its
    /// servers, processes and threads have ended.
    public func run() async throws(RunnerError) -> RunSummary {
        try await untilCancelled { cancellation throws(RunnerError) in try run(until: cancellation) { _ in } }
    }

    /// Runs everything that is selected, on a separate thread, and returns the events as they happen: the start, one
    /// result after another, and the end.
    ///
    /// Throws `RunnerError` if nothing is selected, or a server or the subject cannot be started. Each value of this
    /// property is a separate run. If the consumer stops early, or its task is cancelled, the run stops, and the sequence
    /// ends without `.runFinished`.
    public var events: AsyncThrowingStream<RunEvent, any Error> {
        AsyncThrowingStream { continuation in
            let cancellation = RunCancellation()
            continuation.onTermination = { _ in cancellation.cancel() }
            SystemThread { [self] in
                do throws(RunnerError) {
                    _ = try run(until: cancellation) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }.detach()
        }
    }
}

/// Runs work that blocks on a separate thread, suspends the task meanwhile, and cancels the work with the task.
func untilCancelled<Value: Sendable>(
    _ work: @escaping @Sendable (RunCancellation) throws(RunnerError) -> Value
) async throws(RunnerError) -> Value {
    let cancellation = RunCancellation()
    let result = await withTaskCancellationHandler {
        await onOwnThread { Result { () throws(RunnerError) in try work(cancellation) } }
    } onCancel: {
        cancellation.cancel()
    }
    return try result.get()
}
