import Locks

/// Requests that run one after another, or concurrently; each is added by a call that returns the chain.
///
/// A request starts as soon as its order permits; the chain needs no start. Requests start in the order in
/// which they were added, regardless of their method. Every request ends and calls one of its callbacks once, even
/// if its response is cached, the network is unavailable, or the chain is cancelled.
public final class FetchChain: Sendable {
    /// When a request may start.
    public enum Order: Sendable, Hashable, CaseIterable {
        /// After the callback of the previous request has returned.
        case serial
        /// After the previous request has been sent, or has ended.
        case concurrent
    }
    /// Called with the value of a response.
    public typealias Success = @Sendable (FetchValue) -> Void
    /// Called with the error.
    public typealias Failure = @Sendable (FetchError) -> Void

    private struct State {
        var last: FetchPromise<Void>?
        var steps: [Task<Result<FetchResponse, FetchError>, Never>] = []
        var isCancelled = false
    }
    /// When a request may start.
    public let order: Order
    private let session: FetchSession
    private let limiter: ConcurrencyLimiter
    private let state = Lock(State())

    /// Creates an empty chain; `limit` applies to its concurrent requests, in addition to the session's
    /// limit.
    public init(_ session: FetchSession, _ order: Order = .serial, limit: Int = 6) {
        self.session = session
        self.order = order
        limiter = ConcurrencyLimiter(limit: limit)
    }

    /// Adds a GET.
    @discardableResult
    public func get(
        _ path: String,
        _ parameters: Parameters = [:],
        success: Success? = nil,
        failure: Failure? = nil
    ) -> FetchChain {
        add(.get(path, parameters), success: success, failure: failure)
    }

    /// Adds a POST.
    @discardableResult
    public func post(
        _ path: String,
        _ parameters: Parameters = [:],
        success: Success? = nil,
        failure: Failure? = nil
    ) -> FetchChain {
        add(.post(path, parameters), success: success, failure: failure)
    }

    /// Adds any request.
    @discardableResult
    public func add(_ request: FetchRequest, success: Success? = nil, failure: Failure? = nil) -> FetchChain {
        let release = FetchPromise<Void>()
        state.withLock { state in
            let previous = state.last
            state.last = release
            let step = Task(executorPreference: session.configuration.executor) { [self] in
                let result = await run(request, after: previous, release, success, failure)
                release.fulfill()
                return result
            }
            state.steps.append(step)
            if state.isCancelled { step.cancel() }
        }
        return self
    }

    /// Waits for every request added so far, and returns their results in the order in which they were added.
    nonisolated(nonsending) public func results() async -> [Result<FetchResponse, FetchError>] {
        var results: [Result<FetchResponse, FetchError>] = []
        for step in state.withLock({ $0.steps }) { results.append(await step.value) }
        return results
    }

    /// Cancels every request that has not ended, and every request that is added later.
    public func cancel() {
        let steps = state.withLock { state in
            state.isCancelled = true
            return state.steps
        }
        for step in steps { step.cancel() }
    }

    private func run(
        _ request: FetchRequest,
        after previous: FetchPromise<Void>?,
        _ release: FetchPromise<Void>,
        _ success: Success?,
        _ failure: Failure?
    ) async -> Result<FetchResponse, FetchError> {
        await previous?.wait()
        let options = StartOptions(limiter: limiter) { [order] in
            if order == .concurrent { release.fulfill() }
        }
        let task = session.start(request, options) { result in
            switch result {
            case .success(let response): success?(response.value)
            case .failure(let error): failure?(error)
            }
        }
        return await withTaskCancellationHandler {
            await task.result()
        } onCancel: {
            task.cancel()
        }
    }
}
