import Locks

/// A place where exchanges wait until somebody lets them go.
public final class Hold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: [@Sendable () -> Void] = []
    }
    private let state = Lock(State())

    /// Creates a hold that is not released.
    public init() {}

    /// Lets everybody who waits go, on the calling thread, and everybody who comes later.
    public func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for wake in waiting { wake() }
    }

    /// Calls `wake` once the hold is released; returns false, without a call, when it already is.
    public func wait(_ wake: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.isReleased { return false }
            state.waiting.append(wake)
            return true
        }
    }
}
