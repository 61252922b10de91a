import Locks

/// A listener's share in a download, which other listeners may share.
public final class DownloadReceipt: Sendable {
    /// The state of a listener.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Sendable, Hashable {
        /// The transfer has not started.
        case ready
        /// The transfer is running.
        case executing
        /// The result was delivered.
        case finished
        /// The listener left before the result.
        case cancelled
    }
    struct Listener: Sendable {
        var progress: (@Sendable (ImageProgress) -> Void)?
        var partial: (@Sendable (RasterImage) -> Void)?
        var completion: @Sendable (Result<DownloadOutcome, ImageError>) -> Void
    }
    /// The request that was made.
    public let request: ImageRequest
    private struct Storage {
        var state = State.ready
        /// `nil` after the end, because the listener retains the receipt.
        var listener: Listener?
        var leave: (@Sendable (DownloadReceipt) -> Void)?
    }
    private let storage: Lock<Storage>

    init(_ request: ImageRequest, _ listener: Listener) {
        self.request = request
        storage = Lock(Storage(listener: listener))
    }

    /// The state of this listener.
    public var state: State { storage.withLock { $0.state } }

    /// The listener; `nil` after the end.
    var listener: Listener? { storage.withLock { $0.listener } }

    /// Cancels this listener's share with the failure `cancelled`; the transfer ends if no other listener
    /// remains.
    public func cancel() { storage.withLock { $0.leave }?(self) }

    func onCancel(_ work: @escaping @Sendable (DownloadReceipt) -> Void) {
        storage.withLock { storage in if storage.listener != nil { storage.leave = work } }
    }

    func begin() { storage.withLock { storage in if storage.state == .ready { storage.state = .executing } } }

    /// Ends the share and returns the listener to notify; `nil` if it had ended before.
    func end(as end: State) -> Listener? {
        storage.withLock { storage in
            guard storage.listener != nil else { return nil }
            defer { storage = Storage(state: end) }
            return storage.listener
        }
    }
}
