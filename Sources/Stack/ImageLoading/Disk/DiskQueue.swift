import Dispatch
import Locks

/// A serial queue of file operations.
public final class DiskQueue: Sendable {
    private struct State {
        var suspendCount = 0
        var held: [@Sendable () -> Void] = []
    }
    private enum Target {
        case own(DispatchQueue)
        case executor(any TaskExecutor)
    }
    private let target: Target
    /// The operations that are held while the queue on an executor is suspended.
    private let state = Lock(State())

    /// Creates a queue with a separate thread.
    public init() { target = .own(DispatchQueue(label: "images.disk")) }

    /// Creates a queue on an executor, which must have a single thread.
    public init(on executor: any TaskExecutor) { target = .executor(executor) }

    /// Runs `work` after all earlier operations.
    public func add(_ work: @escaping @Sendable () -> Void) {
        switch target {
        case .own(let queue): queue.async(execute: work)
        case .executor(let executor):
            let isHeld = state.withLock { state in
                if state.suspendCount > 0 { state.held.append(work) }
                return state.suspendCount > 0
            }
            if !isHeld { Task(executorPreference: executor) { work() } }
        }
    }

    /// Runs `work` after all earlier operations, and returns its result.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            add { continuation.resume(returning: work()) }
        }
    }

    /// Waits until all earlier operations have finished.
    public func drain() async { await run {} }

    /// Suspends operations that have not started; `resume()` must follow before the queue is released.
    public func suspend() {
        switch target {
        case .own(let queue): queue.suspend()
        case .executor: state.withLock { $0.suspendCount += 1 }
        }
    }

    /// Resumes the queue.
    public func resume() {
        if case .own(let queue) = target { return queue.resume() }
        let held = state.withLock { state -> [@Sendable () -> Void] in
            state.suspendCount = max(0, state.suspendCount - 1)
            guard state.suspendCount == 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        for work in held { add(work) }
    }
}
