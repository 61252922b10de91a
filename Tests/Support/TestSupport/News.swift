import Locks

/// Wakes tests that wait for a condition whenever it may have changed.
package final class News: Sendable {
    private struct State {
        var count: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State())

    package init() {}

    /// Reports that something may have changed.
    package func signal() {
        let waiters = state.withLock { state in
            state.count &+= 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until a condition holds, checked after each report; the test's time limit ends a wait without end.
    package func wait(until holds: () -> Bool) async {
        while !Task.isCancelled {
            let seen = state.withLock { $0.count }
            if holds() { return }
            await next(after: seen)
        }
    }

    private func next(after seen: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOld = state.withLock { state in
                    guard state.count == seen, !Task.isCancelled else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isOld { continuation.resume() }
            }
        } onCancel: {
            signal()
        }
    }
}

/// The reports of origins, clients' loops and callbacks of all tests.
package let news = News()
