import Locks

/// A request under way, which can be inspected, waited for and cancelled.
public final class FetchTask: Sendable {
    /// How far a request is.
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
    /// What was asked for.
    public let request: RequestModel
    private let work = Lock<Task<Result<FetchResponse, FetchError>, Never>?>(nil)
    private let outcome = Lock<Result<FetchResponse, FetchError>?>(nil)

    init(_ request: RequestModel) { self.request = request }

    /// How far the request is.
    public var state: State {
        switch outcome.withLock({ $0 }) {
        case nil: .running
        case .success: .succeeded
        case .failure(let error): error.kind == .cancelled ? .cancelled : .failed
        }
    }

    /// Waits until the request is over, callback included, and returns its response.
    ///
    /// Who waits may be cancelled without the request being so.
    public func response() async throws(FetchError) -> FetchResponse {
        try await result().get()
    }

    func result() async -> Result<FetchResponse, FetchError> {
        guard let work = work.withLock({ $0 }) else { return .failure(.cancelled) }
        return await work.value
    }

    /// Ends the request as cancelled, unless it has ended.
    public func cancel() { work.withLock { $0 }?.cancel() }

    func begin(_ body: @escaping @Sendable () async -> Result<FetchResponse, FetchError>) {
        work.withLock { $0 = Task { await body() } }
    }

    func end(_ result: Result<FetchResponse, FetchError>) { outcome.withLock { $0 = result } }
}
