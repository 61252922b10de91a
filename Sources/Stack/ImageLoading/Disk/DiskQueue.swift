import Dispatch
import Locks

/// One file operation after another, in the order in which they were asked for, away from who asks.
public final class DiskQueue: Sendable {
    private struct State {
        var holds = 0
        var held: [@Sendable () -> Void] = []
    }
    private enum Place {
        case own(DispatchQueue)
        case executor(any TaskExecutor)
    }
    private let place: Place
    /// What is held back, where that is not the queue's own doing.
    private let state = Lock(State())

    /// Creates a queue that runs on a thread of its own.
    public init() { place = .own(DispatchQueue(label: "images.disk")) }

    /// Creates a queue that runs on an executor of one thread, so that nothing is done at the same time.
    public init(on executor: any TaskExecutor) { place = .executor(executor) }

    /// Runs `work` after everything that was asked for before.
    public func add(_ work: @escaping @Sendable () -> Void) {
        switch place {
        case .own(let queue): queue.async(execute: work)
        case .executor(let executor):
            let isHeld = state.withLock { state in
                if state.holds > 0 { state.held.append(work) }
                return state.holds > 0
            }
            if !isHeld { Task(executorPreference: executor) { work() } }
        }
    }

    /// Runs `work` after everything that was asked for before, and returns its result.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            add { continuation.resume(returning: work()) }
        }
    }

    /// Waits until everything that was asked for before is done.
    public func drain() async { await run {} }

    /// Holds everything back that has not begun; must be followed by `resume()` before the queue is let go.
    public func suspend() {
        switch place {
        case .own(let queue): queue.suspend()
        case .executor: state.withLock { $0.holds += 1 }
        }
    }

    /// Goes on.
    public func resume() {
        if case .own(let queue) = place { return queue.resume() }
        let held = state.withLock { state -> [@Sendable () -> Void] in
            state.holds = max(0, state.holds - 1)
            guard state.holds == 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        for work in held { add(work) }
    }
}
