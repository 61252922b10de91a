import CacheSemantics
import Locks

/// The validations that run while stale responses are already served: at most one for each stored response.
final class BackgroundWork: Sendable {
    struct Subject: Sendable, Hashable {
        let key: CacheKey
        let variant: VariantKey
    }
    private struct State {
        var running: Set<Subject> = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State())

    var isIdle: Bool { state.withLock { $0.running.isEmpty } }

    /// Starts `work` unless the work of `subject` is still running.
    func start(
        _ subject: Subject,
        executor: (any TaskExecutor)?,
        _ work: @escaping @Sendable () async -> Void
    ) {
        guard state.withLock({ $0.running.insert(subject).inserted }) else { return }
        Task(executorPreference: executor) {
            await work()
            self.end(subject)
        }
    }

    /// Waits until no work is running.
    func wait() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if !state.running.isEmpty { state.waiters.append(continuation) }
                return !state.running.isEmpty
            }
            if !waits { continuation.resume() }
        }
    }

    private func end(_ subject: Subject) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.running.remove(subject)
            guard state.running.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
