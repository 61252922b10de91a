import Locks

/// A running request, which can be inspected, awaited and cancelled.
public final class FetchTask: Sendable {
    /// The state of a request.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It has no result yet.
        case running
        /// It has succeeded.
        case succeeded
        /// It has failed.
        case failed
        /// It was cancelled.
        case cancelled
    }
    /// The request that is sent.
    public let request: RequestModel
    private struct Work {
        var task: Task<Result<FetchResponse, FetchError>, Never>?
        var isCancelled = false
    }
    private let work = Lock(Work())
    private let outcome = Lock<Result<FetchResponse, FetchError>?>(nil)

    init(_ request: RequestModel) { self.request = request }

    /// The state of the request.
    public var state: State {
        switch outcome.withLock({ $0 }) {
        case nil: .running
        case .success: .succeeded
        case .failure(let error): error.kind == .cancelled ? .cancelled : .failed
        }
    }

    /// Waits until the request has ended and its callback has returned, and returns its response.
    ///
    /// Cancelling the waiting task does not cancel the request.
    public nonisolated(nonsending) func response() async throws(FetchError) -> FetchResponse {
        try await result().get()
    }

    nonisolated(nonsending) func result() async -> Result<FetchResponse, FetchError> {
        guard let task = work.withLock({ $0.task }) else { return .failure(.cancelled) }
        return await task.value
    }

    /// Cancels the request, unless it has ended.
    public func cancel() {
        let task = work.withLock { work in
            work.isCancelled = true
            return work.task
        }
        task?.cancel()
    }

    func begin(
        on executor: (any TaskExecutor)?,
        _ body: @escaping @Sendable () async -> Result<FetchResponse, FetchError>
    ) {
        let (task, isCancelled) = work.withLock { work in
            let task = Task(executorPreference: executor) { await body() }
            work.task = task
            return (task, work.isCancelled)
        }
        // The pool may have cancelled the request before it began.
        if isCancelled { task.cancel() }
    }

    func end(_ result: Result<FetchResponse, FetchError>) { outcome.withLock { $0 = result } }
}
