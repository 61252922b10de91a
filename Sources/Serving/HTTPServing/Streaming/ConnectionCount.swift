import Synchronization

/// How many connections of a server are open.
final class ConnectionCount: Sendable {
    private let open = Atomic(0)

    var count: Int { open.load(ordering: .relaxed) }

    /// Counts one more; returns how many there are with it.
    func add() -> Int { open.add(1, ordering: .relaxed).newValue }

    func remove() { open.subtract(1, ordering: .relaxed) }
}
