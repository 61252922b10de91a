import Locks

/// A value that is set once, and the tasks that wait for it.
final class FetchPromise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }
    private let state = Lock(State())

    init() {}

    /// Sets the value; later calls have no effect.
    func fulfill(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [CheckedContinuation<Value, Never>]() }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value, without a timeout.
    func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiters.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

extension FetchPromise where Value == Void {
    func fulfill() { fulfill(()) }
}
