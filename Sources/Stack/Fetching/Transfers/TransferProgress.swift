/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes transferred so far; for a resumed download, including those kept.
    public var completed: Int
    /// The total number of bytes; `nil` if unknown.
    public var total: Int?

    /// Creates a progress.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction, 0 to 1; 0 if the total is unknown, and 1 if it is zero.
    public var fraction: Double {
        guard let total else { return 0 }
        return total == 0 ? 1 : Double(completed) / Double(total)
    }
}
