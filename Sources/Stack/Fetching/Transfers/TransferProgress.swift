public import CacheSemantics

/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The size of what has been transferred so far; for a resumed download, including what was kept.
    public var completed: ByteCount
    /// The total size; `nil` if unknown.
    public var total: ByteCount?

    /// Creates a progress.
    public init(completed: ByteCount, total: ByteCount?) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction, 0 to 1; 0 if the total is unknown, and 1 if it is zero.
    public var fraction: Double {
        guard let total else { return 0 }
        return total == .zero ? 1 : Double(completed.bytes) / Double(total.bytes)
    }
}
