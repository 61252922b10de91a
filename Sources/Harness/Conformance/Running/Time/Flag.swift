import Locks

/// Something that has happened or not.
final class Flag: Sendable {
    private let state = Lock(false)

    /// Whether it has happened.
    var isRaised: Bool { state.withLock { $0 } }

    /// Says that it has.
    func raise() {
        state.withLock { $0 = true }
    }
}
