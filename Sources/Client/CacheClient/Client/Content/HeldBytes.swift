import Synchronization

/// How many bytes a client holds in memory for several contents together, beyond what each may hold in any case.
final class HeldBytes: Sendable {
    /// What one content has in it.
    struct Share: Sendable {
        private(set) var count = 0

        /// Sets the share to so many bytes.
        mutating func change(to new: Int, of all: HeldBytes) {
            guard new != count else { return }
            all.bytes.add(new - count, ordering: .relaxed)
            count = new
        }
    }
    private let bytes = Atomic(0)

    /// Bytes of all of them together.
    var count: Int { bytes.load(ordering: .relaxed) }
}
