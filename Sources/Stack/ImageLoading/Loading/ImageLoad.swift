import Locks

/// A running load of an image, which can be cancelled both during the cache lookup and during the download.
public final class ImageLoad: Sendable {
    private struct State {
        var query: StoreQuery?
        var receipt: DownloadReceipt?
        var isFinished = false
        var isCancelled = false
    }
    /// The request that is loaded.
    public let request: ImageRequest
    let id: UInt64
    private let state = Lock(State())
    private let onCancel: @Sendable (ImageLoad) -> Void

    init(_ request: ImageRequest, id: UInt64, onCancel: @escaping @Sendable (ImageLoad) -> Void) {
        self.request = request
        self.id = id
        self.onCancel = onCancel
    }

    /// Whether the load was cancelled before its end.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the load has ended: nothing more is delivered.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Cancels the load: nothing more is delivered, and the transfer ends if no other load shares it.
    public func cancel() {
        let held = state.withLock { state -> (StoreQuery?, DownloadReceipt?)? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.isCancelled = true
            return (state.query, state.receipt)
        }
        guard let held else { return }
        held.0?.cancel()
        if !request.options.contains(.finishForCache) { held.1?.cancel() }
        onCancel(self)
    }

    /// Marks the load as ended; returns whether it was not ended before.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
    }

    func hold(_ query: StoreQuery?) {
        let isFinished = state.withLock { state in
            state.query = query
            return state.isFinished
        }
        if isFinished { query?.cancel() }
    }

    func hold(_ receipt: DownloadReceipt) {
        let isCancelled = state.withLock { state in
            state.receipt = receipt
            return state.isCancelled
        }
        if isCancelled, !request.options.contains(.finishForCache) { receipt.cancel() }
    }

    /// The receipt of the download; `nil` if there is none yet.
    public var receipt: DownloadReceipt? { state.withLock { $0.receipt } }
}
