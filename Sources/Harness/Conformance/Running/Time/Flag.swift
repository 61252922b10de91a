import Locks

/// A one-way flag.
final class Flag: Sendable {
    private let state = Lock(false)

    /// Whether the flag is raised.
    var isRaised: Bool { state.withLock { $0 } }

    /// Raises the flag.
    func raise() {
        state.withLock { $0 = true }
    }
}
