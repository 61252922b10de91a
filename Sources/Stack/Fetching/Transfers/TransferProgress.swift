/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes so far; of a download that goes on, with what was kept.
    public var completed: Int
    /// Bytes in all; `nil` where that is not known.
    public var total: Int?

    /// Creates a progress.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The share from 0 to 1; 0 where the whole is not known, and 1 of nothing.
    public var fraction: Double {
        guard let total else { return 0 }
        return total == 0 ? 1 : Double(completed) / Double(total)
    }
}
