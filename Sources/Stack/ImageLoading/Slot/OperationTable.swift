import Locks

/// An operation that can be cancelled.
public protocol CancellableOperation: AnyObject, Sendable {
    /// Ends the operation without a result; may be called more than once.
    func cancel()
}

extension ImageLoad: CancellableOperation {}
extension DownloadReceipt: CancellableOperation {}

/// The running operations of a view or another owner, by key.
///
/// Operations that remain in the table are cancelled when it is released.
public final class OperationTable: Sendable {
    /// The key of a view's image load.
    public static let imageKey = "UIImageViewImageLoad"
    private let entries = Lock([String: [any CancellableOperation]]())

    /// Creates an empty table.
    public init() {}

    deinit { for key in entries.withLock({ $0.keys.sorted() }) { cancel(key) } }

    /// Sets the operations of a key, and cancels the previous ones.
    public func set(_ operations: [any CancellableOperation], for key: String) {
        let before = entries.withLock { $0.updateValue(operations, forKey: key) }
        for operation in before ?? [] { operation.cancel() }
    }

    /// Cancels and removes the operations of a key.
    public func cancel(_ key: String) {
        let before = entries.withLock { $0.removeValue(forKey: key) }
        for operation in before ?? [] { operation.cancel() }
    }

    /// Removes the operations of a key without cancelling them.
    public func remove(_ key: String) { entries.withLock { _ = $0.removeValue(forKey: key) } }

    /// Removes one operation of a key, if it is there.
    func remove(_ operation: any CancellableOperation, from key: String) {
        entries.withLock { entries in
            entries[key]?.removeAll { $0 === operation }
            if entries[key]?.isEmpty == true { entries[key] = nil }
        }
    }

    /// The operations of a key.
    public subscript(key: String) -> [any CancellableOperation] { entries.withLock { $0[key] ?? [] } }
}
