import Locks

/// A counter that threads raise and one thread waits on, so that nothing raised in between is missed.
package final class Signal: Sendable {
    private struct State {
        var number: UInt64 = 0
        var observer: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())

    /// The number of times that it has been raised.
    var count: UInt64 { state.withLock { $0.number } }

    /// Sets a closure that each raise calls, for a thread that waits elsewhere.
    func onRaise(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// Increments the counter and wakes waiting threads.
    package func raise() {
        let observer = state.withLock { state in
            state.number &+= 1
            return state.observer
        }
        state.wakeAll()
        observer?()
    }

    /// Waits until the count is no longer `seen`; returns false if that has not happened by `deadline`.
    ///
    /// `deadline` is a time of CLOCK_MONOTONIC; `nil` waits indefinitely.
    func wait(after seen: UInt64, until deadline: Duration? = nil) -> Bool {
        state.wait { state, isLate in
            if state.number != seen { return .done(true) }
            return isLate ? .done(false) : .wait(until: deadline)
        }
    }
}
