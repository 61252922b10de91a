/// Limits how many tasks run at once; waiting tasks are admitted by priority, then in order of arrival.
package final class ConcurrencyLimiter: Sendable {
    private struct Waiter {
        let number: UInt64
        let priority: Int
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var limit: Int
        var activeCount = 0
        var next: UInt64 = 0
        var waiters: [Waiter] = []
        /// Numbers of tasks that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
    }
    private let state: Lock<State>

    /// Creates a limiter that admits `limit` tasks, at least one.
    package init(limit: Int) { state = Lock(State(limit: max(limit, 1))) }

    /// The largest number of admitted tasks, at least 1; lowering it does not affect those already admitted.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            let admitted = state.withLock { state in
                state.limit = max(newValue, 1)
                return Self.admit(&state)
            }
            for waiter in admitted { waiter.continuation.resume(returning: true) }
        }
    }

    /// The number of waiting tasks.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for a permit, which `leave()` ends; returns `false`, without one, if the task is cancelled while it waits.
    package func enter(priority: Int = 0) async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, priority, $0) }
        } onCancel: {
            cancel(number)
        }
        // A task may be cancelled after it was admitted and before it resumes; its number must be removed here.
        if isAdmitted { state.withLock { _ = $0.cancelled.remove(number) } }
        return isAdmitted
    }

    /// Ends a permit.
    package func leave() {
        let admitted = state.withLock { state in
            state.activeCount -= 1
            return Self.admit(&state)
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func wait(_ number: UInt64, _ priority: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let isAdmitted: Bool? = state.withLock { state in
            if state.cancelled.remove(number) != nil { return false }
            if state.waiters.isEmpty, state.activeCount < state.limit {
                state.activeCount += 1
                return true
            }
            let index = state.waiters.firstIndex { $0.priority < priority } ?? state.waiters.endIndex
            let waiter = Waiter(number: number, priority: priority, continuation: continuation)
            state.waiters.insert(waiter, at: index)
            return nil
        }
        if let isAdmitted { continuation.resume(returning: isAdmitted) }
    }

    private func cancel(_ number: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }

    private static func admit(_ state: inout State) -> [Waiter] {
        let count = min(max(state.limit - state.activeCount, 0), state.waiters.count)
        let admitted = Array(state.waiters.prefix(count))
        state.waiters.removeFirst(count)
        state.activeCount += count
        return admitted
    }
}
