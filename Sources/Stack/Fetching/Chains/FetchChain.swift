import Locks

/// Requests one after another, or side by side, each added by a call that returns the chain.
///
/// A request begins as soon as it is added and may begin; nobody has to start the chain. Requests begin in the order
/// in which they were added, whatever their method. Every request ends, and calls one of its callbacks once: with a
/// cached answer, without a network, and when the chain is cancelled, too.
public final class FetchChain: Sendable {
    /// When a request may begin.
    public enum Order: Sendable, Hashable, CaseIterable {
        /// When the callback of the one before has returned.
        case serial
        /// When the one before has been sent, or has ended.
        case concurrent
    }
    /// Called with the value of a response.
    public typealias Success = @Sendable (FetchValue) -> Void
    /// Called with the error.
    public typealias Failure = @Sendable (FetchError) -> Void

    private struct State {
        var last: OneShot<Void>?
        var steps: [Task<Result<FetchResponse, FetchError>, Never>] = []
        var isCancelled = false
    }
    /// When a request may begin.
    public let order: Order
    private let session: FetchSession
    private let gate: FlightGate
    private let state = Lock(State())

    /// Creates an empty chain; at most `limit` of its requests are under way at once, and no more than the session's.
    public init(_ session: FetchSession, _ order: Order = .serial, limit: Int = 6) {
        self.session = session
        self.order = order
        gate = FlightGate(limit: limit)
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
    public func add(
        _ request: FetchRequest,
        success: Success? = nil,
        failure: Failure? = nil
    ) -> FetchChain {
        let release = OneShot<Void>()
        state.withLock { state in
            let previous = state.last
            state.last = release
            let step = Task(executorPreference: session.configuration.executor) { [self] in
                let result = await run(request, after: previous, release, success, failure)
                release.fire()
                return result
            }
            state.steps.append(step)
            if state.isCancelled { step.cancel() }
        }
        return self
    }

    /// Waits for every request that was added so far, and returns their results in the order in which they were added.
    public func results() async -> [Result<FetchResponse, FetchError>] {
        var results: [Result<FetchResponse, FetchError>] = []
        for step in state.withLock({ $0.steps }) { results.append(await step.value) }
        return results
    }

    /// Cancels every request that has not ended, and those that are still added.
    public func cancel() {
        let steps = state.withLock { state in
            state.isCancelled = true
            return state.steps
        }
        for step in steps { step.cancel() }
    }

    private func run(
        _ request: FetchRequest,
        after previous: OneShot<Void>?,
        _ release: OneShot<Void>,
        _ success: Success?,
        _ failure: Failure?
    ) async -> Result<FetchResponse, FetchError> {
        await previous?.wait()
        let passage = Passage(gate: gate) { [order] in if order == .concurrent { release.fire() } }
        let task = session.start(request, passage) { result in
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
