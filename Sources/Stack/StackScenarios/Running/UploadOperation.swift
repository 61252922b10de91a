import CacheSemantics
import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// A running upload and its observation.
final class UploadOperation: StackOperation {
    private struct State {
        var progress: [(completed: Int, total: Int?)] = []
        var result: Result<FetchResponse, UploadFailure>?
        var endedAt: Duration?
        var task: Task<Void, Never>?
    }
    private let step: UploadStep
    private let clock: any TimeSource
    private let signal: Signal
    private let startedAt: Duration
    private let state = Lock(State())

    init(_ step: UploadStep, stack: StackSessions) {
        self.step = step
        clock = stack.environment.clock
        signal = stack.environment.signal
        startedAt = clock.elapsed
    }

    var title: String { step.title }
    var isFinished: Bool { state.withLock { $0.result != nil } }

    func cancel() { state.withLock { $0.task }?.cancel() }

    func start(_ upload: Upload, in session: FetchSession, on executor: any TaskExecutor) {
        let task = Task(executorPreference: executor) {
            do throws(UploadFailure) {
                self.ended(.success(try await session.upload(upload) { self.progressed($0) }))
            } catch {
                self.ended(.failure(error))
            }
        }
        state.withLock { $0.task = task }
    }

    private func progressed(_ progress: TransferProgress) {
        state.withLock { $0.progress.append((progress.completed.bytes, progress.total?.bytes)) }
    }

    private func ended(_ result: Result<FetchResponse, UploadFailure>) {
        let now = clock.elapsed
        state.withLock { state in
            state.result = result
            state.endedAt = now
        }
        signal.raise()
    }

    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord) {
        guard case .upload(let expectation) = expectation else { return }
        let seen = observation
        record.exchanges.append(
            CallerExchange(method: "POST", target: step.request.path, fields: [], seen: seen.outcome.caller)
        )
        record.mismatches += expectation.check(seen, context: context, at: step.position)
    }

    private var observation: UploadObservation {
        let state = state.withLock { $0 }
        var seen: UploadObservation
        switch state.result {
        case .success(let response): seen = UploadObservation(FetchObservation(step.request.path, response))
        case .failure(let failure):
            seen = UploadObservation(FetchObservation(step.request.path, failure.error))
            seen.failedItems = failure.items.count
        case nil: seen = UploadObservation(FetchObservation(neverBegun: step.request.path))
        }
        seen.outcome.caller.took = ((state.endedAt ?? startedAt) - startedAt).seconds
        seen.progress = state.progress
        return seen
    }
}
