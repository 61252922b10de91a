import Locks

/// One listener's hold on a download, which others may share.
public final class DownloadReceipt: Sendable {
    /// Where a listener stands.
    public enum State: Sendable, Hashable {
        /// Nothing has been sent for it.
        case ready
        /// Its transfer runs.
        case executing
        /// It has heard the end.
        case finished
        /// It left before the end.
        case cancelled
    }
    struct Listener: Sendable {
        var progress: (@Sendable (ImageProgress) -> Void)?
        var partial: (@Sendable (RasterImage) -> Void)?
        var completion: @Sendable (Result<DownloadOutcome, ImageError>) -> Void
    }
    /// The request.
    public let request: ImageRequest
    let listener: Listener
    private let state = Lock(State.ready)
    private let leave = Lock<(@Sendable (DownloadReceipt) -> Void)?>(nil)

    init(_ request: ImageRequest, _ listener: Listener) {
        self.request = request
        self.listener = listener
    }

    /// Where this listener stands.
    public var current: State { state.withLock { $0 } }

    /// Whether the end is still to come.
    var isOpen: Bool { current == .ready || current == .executing }

    /// Leaves: this listener hears a cancelled failure, others go on, and the transfer ends with the last.
    public func cancel() { leave.withLock { $0 }?(self) }

    func onCancel(_ work: @escaping @Sendable (DownloadReceipt) -> Void) { leave.withLock { $0 = work } }

    func begin() { state.withLock { state in if state == .ready { state = .executing } } }

    /// Whether this was the first end.
    func end(as end: State) -> Bool {
        let isFirst = state.withLock { state in
            guard state == .ready || state == .executing else { return false }
            state = end
            return true
        }
        if isFirst { leave.withLock { $0 = nil } }
        return isFirst
    }
}
