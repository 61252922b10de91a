import Locks

/// Something that runs and can be cancelled.
public protocol CancellableOperation: AnyObject, Sendable {
    /// Ends it without result; may be repeated.
    func cancel()
}

extension ImageLoad: CancellableOperation {}
extension DownloadReceipt: CancellableOperation {}

/// The running operations of a view, by key; anything can own one.
///
/// What is still in it when it is let go is cancelled.
public final class OperationTable: Sendable {
    /// The key of a view's image.
    public static let imageKey = "UIImageViewImageLoad"
    private let entries = Lock([String: [any CancellableOperation]]())

    /// Creates an empty table.
    public init() {}

    deinit { for key in entries.withLock({ $0.keys.sorted() }) { cancel(key) } }

    /// Puts operations under a key after cancelling those that are there.
    public func set(_ operations: [any CancellableOperation], for key: String) {
        let before = entries.withLock { $0.updateValue(operations, forKey: key) }
        for operation in before ?? [] { operation.cancel() }
    }

    /// Cancels and removes what is under a key.
    public func cancel(_ key: String) {
        let before = entries.withLock { $0.removeValue(forKey: key) }
        for operation in before ?? [] { operation.cancel() }
    }

    /// Removes what is under a key without cancelling it.
    public func remove(_ key: String) { entries.withLock { _ = $0.removeValue(forKey: key) } }

    /// Removes one operation from under a key, if it is there.
    func remove(_ operation: any CancellableOperation, from key: String) {
        entries.withLock { entries in
            entries[key]?.removeAll { $0 === operation }
            if entries[key]?.isEmpty == true { entries[key] = nil }
        }
    }

    /// What is under a key.
    public subscript(key: String) -> [any CancellableOperation] { entries.withLock { $0[key] ?? [] } }
}
