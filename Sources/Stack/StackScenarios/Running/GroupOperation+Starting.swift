import CacheClient
import Conformance
import Fetching
import Locks
import Scenarios

extension GroupOperation {
    /// Adds every request to a chain, which starts them.
    func startChain(_ order: GroupStep.Order, limit: Int?, in session: FetchSession, _ stack: StackSessions) {
        reportsEndByCallback.withLock { $0 = true }
        let order: FetchChain.Order = order == .serial ? .serial : .concurrent
        let chain = FetchChain(session, order, limit: limit ?? 6)
        onCancel { chain.cancel() }
        for fetch in steps { add(fetch, to: chain, stack) }
        Task(executorPreference: stack.current.loop) {
            let results = await chain.results()
            self.completed(results.firstError)
        }
    }

    private func add(_ step: FetchStep, to chain: FetchChain, _ stack: StackSessions) {
        do throws(FetchError) {
            let request = try stack.environment.address.request(step, tag: tag(step))
            guard step.hasCallbacks else {
                chain.add(request)
                return
            }
            let name = step.name
            chain.add(request, success: { _ in self.ended(name) }, failure: { _ in self.ended(name) })
        } catch {
            // The decoder rejects chains whose requests depend on others.
            completed(error)
        }
    }

    /// Runs a sequence of requests, each of which may be built from the previous responses.
    func startSequence(in session: FetchSession, _ stack: StackSessions) {
        let builders = builders(stack)
        let sequence = FetchSequence(session) {
            for (index, builder) in builders.enumerated() {
                FetchSequence.Then { [steps] responses throws(FetchError) in
                    let names = steps.prefix(index).map(\.name)
                    return try builder.request(Dictionary(zip(names, responses)) { first, _ in first })
                }
            }
        }
        let task = sequence.start { self.completed($0.failure) }
        onCancel { task.cancel() }
    }

    /// Runs requests concurrently.
    func startBatch(continuesAfterFailure: Bool, in session: FetchSession, _ stack: StackSessions) {
        let builders = builders(stack)
        let batch = FetchBatch(session, continuesAfterFailure ? .continueRemaining : .cancelRemaining) {
            for builder in builders {
                FetchBatch.Member(builder.step.name, after: builder.step.needs) {
                    responses throws(FetchError) in
                    try builder.request(responses)
                }
            }
        }
        let task = batch.start { self.completed($0.failure) }
        onCancel { task.cancel() }
    }

    /// Returns a builder for each request.
    private func builders(_ stack: StackSessions) -> [StepRequestBuilder] {
        steps.map { StepRequestBuilder(step: $0, tag: tag($0), address: stack.environment.address) }
    }
}

/// Builds the request of a step.
private struct StepRequestBuilder: Sendable {
    let step: FetchStep
    let tag: String
    let address: ScenarioVariables

    /// Builds the request from the responses, by name.
    func request(_ responses: [String: FetchResponse]) throws(FetchError) -> FetchRequest {
        try address.request(step, tag: tag, responses)
    }
}

extension Result where Failure == FetchError {
    fileprivate var failure: FetchError? { if case .failure(let error) = self { error } else { nil } }
}

extension [Result<FetchResponse, FetchError>] {
    fileprivate var firstError: FetchError? { lazy.compactMap(\.failure).first }
}

extension FetchStep {
    /// The names of the requests whose responses it needs.
    fileprivate var needs: [String] {
        dependencies + Set(parameters.values.flatMap(\.sources)).subtracting(dependencies).sorted()
    }
}
