import Synchronization

/// The number of open connections of a server.
final class ConnectionCount: Sendable {
    private let open = Atomic(0)

    var count: Int { open.load(ordering: .relaxed) }

    /// Adds a connection; returns the new number.
    func add() -> Int { open.add(1, ordering: .relaxed).newValue }

    func remove() { open.subtract(1, ordering: .relaxed) }
}
