import Locks

/// A counter that threads raise and one thread waits on, so that nothing raised in between is missed.
final class Signal: Sendable {
    private let number = Monitor<UInt64>(0)

    /// How often it has been raised.
    var count: UInt64 { number.withLock { $0 } }

    /// Tells whoever waits that something has happened.
    func raise() {
        number.withLock { $0 &+= 1 }
        number.wakeAll()
    }

    /// Waits until it has been raised since `count` was `seen`; false when that is not so at `deadline`.
    ///
    /// `deadline` is a time of CLOCK_MONOTONIC; `nil` waits for ever.
    func wait(after seen: UInt64, until deadline: Duration? = nil) -> Bool {
        number.wait { number, isLate in
            if number != seen { return .done(true) }
            return isLate ? .done(false) : .wait(until: deadline)
        }
    }
}
