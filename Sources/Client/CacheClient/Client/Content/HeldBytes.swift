import Synchronization

/// The number of bytes that a client holds in memory for several contents together, beyond what each may hold in any
/// case.
final class HeldBytes: Sendable {
    /// The part of one content in it.
    struct Share: Sendable {
        private(set) var count = 0

        /// Sets the share to `new` bytes.
        mutating func change(to new: Int, of all: HeldBytes) {
            guard new != count else { return }
            all.bytes.add(new - count, ordering: .relaxed)
            count = new
        }
    }
    private let bytes = Atomic(0)

    /// The bytes of all contents together.
    var count: Int { bytes.load(ordering: .relaxed) }
}
