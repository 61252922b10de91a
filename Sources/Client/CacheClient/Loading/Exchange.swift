import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// One exchange as a task sees it: it waits for the head, then for the content, with a deadline between arrivals.
///
/// Only one task at a time may wait.
final class Exchange: Sendable {
    /// The event that the waiting task needs; the end always wakes it.
    enum Need {
        case head
        case content
        case end
    }
    struct State {
        var handle: (any TransportExchange)?
        var head: HTTPResponse?
        var hasHead = false
        var start = TransportStart()
        var headTime = HTTPDate(secondsSinceEpoch: 0)
        var headAt: Duration?
        var content: [UInt8] = []
        var received = 0
        var isPaused = false
        var end: Result<TransportEnd, TransportError>?
        var stop: TransportError?
        let limits: Limits
        var isDiscarding = false
        var waiter: UnsafeContinuation<Void, Never>?
        var need = Need.end
        var timer: PendingTimer?
        var lastArrival: Duration = .zero

        var hasEnded = false

        /// Whether more content has arrived than the task may hold.
        var isTooLarge: Bool { received > limits.total && !isDiscarding }

        func has(_ need: Need) -> Bool {
            switch need {
            case .head: hasEnded || hasHead
            case .content: hasEnded || !content.isEmpty
            case .end: hasEnded
            }
        }
    }
    let clock: any TimeSource
    let timeout: Duration?
    /// When the exchange fails, regardless of what arrives; `nil` means never.
    let deadline: Duration?
    let observer: (any LoadObserver)?
    let state: Locked<State>

    /// The limits on content, in bytes.
    struct Limits: Sendable {
        /// The sender must wait while more are unread.
        var unread = Int.max
        /// An exchange with more fails with −1103.
        var total = Int.max
    }

    /// Creates an exchange; `moment` is the current time.
    init(
        clock: any TimeSource,
        timeout: Duration?,
        deadline: Duration? = nil,
        limits: Limits = Limits(),
        observer: (any LoadObserver)? = nil,
        at moment: Duration
    ) {
        self.clock = clock
        self.timeout = timeout
        self.deadline = deadline
        self.observer = observer
        state = Locked(State(limits: limits, lastArrival: moment))
    }

    /// Sends `request` without waiting; returns whether the exchange is already over.
    func begin(_ request: TransportRequest, over transport: any Transport, at moment: Duration) -> Bool {
        let handle = transport.start(request, receiver: self)
        let (isFinished, isStopped) = state.withLock { state in
            if !state.hasEnded { state.handle = handle }
            return (state.hasEnded, state.stop != nil)
        }
        if isStopped { handle.cancel() }
        if !isFinished, let limit = limit(after: moment) { startTimer(limit) }
        return isFinished
    }

    /// Waits until `head()` returns a head or throws the transport's error.
    nonisolated(nonsending) func waitForHead() async { await wait(for: .head) }

    /// Returns the head and when it arrived; throws the transport's error if there is none.
    func head() throws(TransportError) -> (head: HTTPResponse, received: HTTPDate) {
        let (head, received, end) = state.withLock { ($0.head, $0.headTime, $0.end) }
        if let head { return (head, received) }
        throw Self.failure(end)
    }

    /// Waits for all content.
    nonisolated(nonsending) func content() async throws(TransportError) -> [UInt8] {
        while true {
            if let content = try contentAtOnce() { return content }
            await wait(for: .end)
        }
    }

    /// Returns all content, if it has arrived; throws the transport's error.
    func contentAtOnce() throws(TransportError) -> [UInt8]? {
        let (end, content) = state.withLock { ($0.end, $0.end == nil ? [] : $0.content) }
        guard let end else { return nil }
        _ = try end.get()
        return content
    }

    /// Takes the unread content that has arrived, of an exchange that may have been interrupted.
    func remains() -> [UInt8] {
        state.withLock { state in
            defer { state.content = [] }
            return state.content
        }
    }

    /// Waits for some content and returns it; `nil` at the end.
    nonisolated(nonsending) func piece() async throws(TransportError) -> [UInt8]? {
        while true {
            let (piece, end, handle) = state.withLock { state in
                let piece = state.content
                state.content = []
                let resumes = state.isPaused && !piece.isEmpty
                if resumes {
                    state.isPaused = false
                    state.lastArrival = clock.elapsed
                }
                return (piece, state.end, resumes ? state.handle : nil)
            }
            handle?.resume()
            if !piece.isEmpty { return piece }
            if let end {
                _ = try end.get()
                return nil
            }
            await wait(for: .content)
        }
    }

    /// Receives content and discards it, so that the connection can be reused; the exchange ends if there is too much, or if it
    /// lasts for more than a second.
    func discard() {
        let (handle, timer, isFinished) = state.withLock { state in
            state.isDiscarding = true
            state.content = []
            defer { (state.isPaused, state.timer) = (false, nil) }
            return (state.isPaused ? state.handle : nil, state.timer, state.hasEnded)
        }
        handle?.resume()
        if let timer { clock.cancel(timer) }
        if !isFinished { startTimer(clock.elapsed + Self.discardTime) }
    }

    /// Cancels the exchange, which ends with `error`.
    func cancel(_ error: TransportError) {
        let handle = state.withLock { state in
            if state.end == nil, state.stop == nil { state.stop = error }
            return state.handle
        }
        handle?.cancel()
    }

    /// When something last arrived, on the clock's elapsed time.
    var lastArrival: Duration { state.withLock { $0.lastArrival } }

    /// Adds what is known so far; returns whether the transport has compared the content with its announced length.
    @discardableResult
    func add(to metrics: inout TransactionMetrics) -> Bool {
        state.withLock { state in
            if metrics.headAt == nil {
                metrics.status = state.head?.status.code
                metrics.headAt = state.headAt
                if state.hasHead { metrics.add(state.start) }
            }
            metrics.contentSize = .bytes(state.received)
            guard case .success(let end) = state.end else { return false }
            metrics.add(end)
            return end.isLengthChecked
        }
    }

    nonisolated(nonsending) private func wait(for need: Need) async {
        if isThere(need, holding: #isolation) { return }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { if !holds($0, until: need) { $0.resume() } }
        } onCancel: {
            cancel(.requestCancelled)
        }
    }

    /// Holds the task that waits until there is what it needs; returns false if there already is.
    private func holds(_ waiter: UnsafeContinuation<Void, Never>, until need: Need) -> Bool {
        state.withLock { state in
            guard !state.has(need) else { return false }
            state.need = need
            state.waiter = waiter
            return true
        }
    }

    /// Whether what is needed has arrived, or arrives while this thread works for it, which it may if it holds no
    /// actor.
    @inline(never)
    private func isThere(_ need: Need, holding actor: (any Actor)?) -> Bool {
        while true {
            let (isThere, handle) = state.withLock { ($0.has(need), $0.handle) }
            if isThere { return true }
            guard actor == nil, let handle, handle.workInPlace(), !Task.isCancelled else { return false }
        }
    }

    private static func failure(_ end: Result<TransportEnd, TransportError>?) -> TransportError {
        if case .failure(let error) = end { return error }
        return TransportError(.badResponse, "The exchange ended without a response.")
    }
}
