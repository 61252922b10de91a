import Locks

/// A counter that threads raise and one thread waits on, so that nothing raised in between is missed.
public final class Signal: Sendable {
    private struct State {
        var number: UInt64 = 0
        var bell: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())

    /// How often it has been raised.
    var count: UInt64 { state.withLock { $0.number } }

    /// Has `bell` called at each raise, for who waits in another place.
    func onRaise(_ bell: @escaping @Sendable () -> Void) {
        state.withLock { $0.bell = bell }
    }

    /// Wakes those that wait.
    public func raise() {
        let bell = state.withLock { state in
            state.number &+= 1
            return state.bell
        }
        state.wakeAll()
        bell?()
    }

    /// Waits until it has been raised since `count` was `seen`; false when that is not so at `deadline`.
    ///
    /// `deadline` is a time of CLOCK_MONOTONIC; `nil` waits for ever.
    func wait(after seen: UInt64, until deadline: Duration? = nil) -> Bool {
        state.wait { state, isLate in
            if state.number != seen { return .done(true) }
            return isLate ? .done(false) : .wait(until: deadline)
        }
    }
}
