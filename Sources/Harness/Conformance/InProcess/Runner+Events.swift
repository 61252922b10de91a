import Threads

extension Runner {
    /// Runs everything that is selected, on a thread of its own, and returns the counts.
    ///
    /// Throws if a server or the subject cannot be started. Cancelling the task does not stop the run.
    public func run() async throws(RunnerError) -> RunSummary {
        let result = await onOwnThread { () -> Result<RunSummary, RunnerError> in
            do throws(RunnerError) {
                return .success(try run { _ in })
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs everything that is selected, on a thread of its own, and returns the events as they happen: the start, one
    /// result after another, and the end.
    ///
    /// Throws `RunnerError` if a server or the subject cannot be started. Each iteration is a run of its own; a consumer
    /// that stops early does not stop the run.
    public var events: AsyncThrowingStream<RunEvent, any Error> {
        AsyncThrowingStream { continuation in
            SystemThread { [self] in
                do throws(RunnerError) {
                    _ = try run { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }.detach()
        }
    }
}
