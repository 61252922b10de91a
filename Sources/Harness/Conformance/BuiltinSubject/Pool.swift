import Locks
import Threads

/// Keeps prepared resources ready, and resets or closes used ones on a background thread.
final class Pool<Resource: Sendable>: Sendable {
    /// The numbers of resources that decide what the thread does.
    struct Sizes: Sendable {
        /// The number of resources that are kept ready.
        let ready: Int
        /// The number of used resources that are left alone for a while, so that a scenario's remaining work can end.
        let lingering: Int
        /// The maximum number of used resources.
        var used = Int.max
        /// The number of resources that must be used or missing before the thread is woken, which takes longer than its work.
        let batch: Int
    }
    private enum Task {
        case prepare
        case restore
        case rest
        case stop
    }
    private struct State {
        var ready: [Resource] = []
        var used: [Resource] = []
        /// Whether the system still provides resources; the scenario that gets none reports the problem.
        var isPreparing = true
        var isStopping = false
        var thread: SystemThread?
    }
    private let sizes: Sizes
    private let make: @Sendable () throws(SubjectError) -> Resource
    private let restore: @Sendable (inout Resource) -> Bool
    private let state = Lock(State())
    private let signal = Signal()

    /// Creates a pool and starts its thread.
    ///
    /// `restore` receives the only reference to a used resource. It returns whether the resource can be reused; if not,
    /// it has closed it.
    init(
        _ sizes: Sizes,
        make: @escaping @Sendable () throws(SubjectError) -> Resource,
        restore: @escaping @Sendable (inout Resource) -> Bool
    ) {
        (self.sizes, self.make, self.restore) = (sizes, make, restore)
        let thread = SystemThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns a resource that is ready; `nil` if there is none.
    func take() -> Resource? {
        let (found, isLow) = state.withLock { state in
            (state.ready.popLast(), state.ready.count <= sizes.ready - sizes.batch)
        }
        if isLow { signal.raise() }
        return found
    }

    /// Accepts a used resource; returns false if the pool is full or stopping: the caller then closes the resource.
    func recycle(_ resource: Resource) -> Bool {
        let count = state.withLock { state -> Int? in
            guard state.used.count < sizes.used, !state.isStopping else { return nil }
            state.used.append(resource)
            return state.used.count
        }
        guard let count else { return false }
        if count > sizes.lingering + sizes.batch { signal.raise() }
        return true
    }

    /// Ends the thread and returns what is left, which the caller ends; called once, after the last scenario.
    func stop() -> [Resource] {
        let thread = state.withLock { state in
            state.isStopping = true
            return state.thread
        }
        signal.raise()
        thread?.join()
        return state.withLock { state in
            defer { (state.used, state.ready) = ([], []) }
            return state.used + state.ready
        }
    }

    private func keep() {
        while true {
            let seen = signal.count
            switch nextTask() {
            case .prepare: prepare()
            case .restore: restoreOldest()
            case .rest: _ = signal.wait(after: seen)
            case .stop: return
            }
        }
    }

    private func nextTask() -> Task {
        state.withLock { state in
            if state.isStopping { return .stop }
            if state.used.count > sizes.lingering { return .restore }
            return state.isPreparing && state.ready.count < sizes.ready ? .prepare : .rest
        }
    }

    private func prepare() {
        do throws(SubjectError) {
            let resource = try make()
            state.withLock { $0.ready.append(resource) }
        } catch {
            state.withLock { $0.isPreparing = false }
        }
    }

    private func restoreOldest() {
        var oldest = state.withLock { $0.used.removeFirst() }
        guard restore(&oldest) else { return }
        state.withLock { $0.ready.append(oldest) }
    }
}
