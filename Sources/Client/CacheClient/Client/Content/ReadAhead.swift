import Synchronization

/// What a client has taken of contents whose readers are slow, because others wait for these contents.
final class ReadAhead: Sendable {
    /// Bytes, beyond what each content may be ahead of its reader in any case.
    private static let limit = 6 << 20
    private let used = Atomic(0)

    /// Whether no content may be taken any more faster than its reader reads.
    var isSpent: Bool { used.load(ordering: .relaxed) >= Self.limit }

    func change(by count: Int) { used.add(count, ordering: .relaxed) }
}
