public import Clocks
import Locks

/// A gate at which exchanges wait until it is released.
public final class Hold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: [UInt64: @Sendable () -> Void] = [:]
        var next: UInt64 = 0
    }
    private let state = Locked(State())

    /// Creates a hold that is not released.
    public init() {}

    /// Releases the hold: calls all waiting closures on the calling thread; later callers do not wait.
    public func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (_, wake) in waiting.sorted(by: { $0.key < $1.key }) { wake() }
    }

    /// Calls `wake` once the hold is released, unless the sleeper is cancelled before.
    ///
    /// Returns `nil`, without a call, if the hold is already released.
    public func wait(_ wake: @escaping @Sendable () -> Void) -> Sleeper? {
        let number = state.withLock { state -> UInt64? in
            if state.isReleased { return nil }
            state.next += 1
            state.waiting[state.next] = wake
            return state.next
        }
        return number.map { number in
            Sleeper { [weak self] in self?.forget(number) }
        }
    }

    private func forget(_ number: UInt64) {
        // Called outside the lock, because the closures may use this hold.
        _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    }
}
