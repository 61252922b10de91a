import CacheClient
import Conformance
import Fetching
import Locks
import Scenarios

extension GroupOperation {
    /// Adds every request to a chain, which begins by itself.
    func begin(chain step: ChainStep, in session: FetchSession, _ stack: StackSessions) {
        tellsByCallback.withLock { $0 = true }
        let order: FetchChain.Order = step.order == .serial ? .serial : .concurrent
        let chain = FetchChain(session, order, limit: step.limit ?? 6)
        onCancel { chain.cancel() }
        for fetch in step.requests { add(fetch, to: chain, stack) }
        Task(executorPreference: stack.current.loop) {
            let results = await chain.results()
            self.completed(results.firstError)
        }
    }

    private func add(_ step: FetchStep, to chain: FetchChain, _ stack: StackSessions) {
        do throws(FetchError) {
            let request = try stack.stage.address.request(step, tag: tag(step))
            guard step.hasCallbacks else {
                chain.add(request)
                return
            }
            let name = step.name
            chain.add(request, success: { _ in self.ended(name) }, failure: { _ in self.ended(name) })
        } catch {
            // The decoder refuses requests of a chain that need another's response.
            completed(error)
        }
    }

    /// Runs requests of which each may be made of the responses before it.
    func begin(sequence step: ChainStep, in session: FetchSession, _ stack: StackSessions) {
        let makers = makers(stack)
        let sequence = FetchSequence {
            for (place, maker) in makers.enumerated() {
                FetchSequence.Then { responses throws(FetchError) in
                    let names = step.requests.prefix(place).map(\.name)
                    return try maker.make(Dictionary(zip(names, responses)) { first, _ in first })
                }
            }
        }
        let task = sequence.start(in: session) { self.completed($0.failure) }
        onCancel { task.cancel() }
    }

    /// Runs requests side by side.
    func begin(batch step: BatchStep, in session: FetchSession, _ stack: StackSessions) {
        let makers = makers(stack)
        let batch = FetchBatch(step.letsRestFinish ? .letsRestFinish : .cancelsRest) {
            for maker in makers {
                FetchBatch.Member(maker.step.name, after: maker.step.needs) { responses throws(FetchError) in
                    try maker.make(responses)
                }
            }
        }
        let task = batch.start(in: session) { self.completed($0.failure) }
        onCancel { task.cancel() }
    }

    /// What makes each request of the responses it needs.
    private func makers(_ stack: StackSessions) -> [RequestMaker] {
        steps.map { RequestMaker(step: $0, tag: tag($0), address: stack.stage.address) }
    }
}

/// Makes the request of a step.
private struct RequestMaker: Sendable {
    let step: FetchStep
    let tag: String
    let address: StageAddress

    /// The request, given the responses by their names.
    func make(_ responses: [String: FetchResponse]) throws(FetchError) -> FetchRequest {
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
    /// Everybody whose response it waits for.
    fileprivate var needs: [String] {
        dependencies + Set(parameters.values.flatMap(\.sources)).subtracting(dependencies).sorted()
    }
}
