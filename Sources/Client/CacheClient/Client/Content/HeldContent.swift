import Synchronization

/// How much of contents that are on their way into memory is held there, beyond what each may hold in any case.
final class HeldContent: Sendable {
    private let bytes = Atomic(0)

    /// Bytes of all of them together.
    var count: Int { bytes.load(ordering: .relaxed) }

    func change(by count: Int) { bytes.add(count, ordering: .relaxed) }
}
