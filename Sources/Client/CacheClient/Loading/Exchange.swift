import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// One exchange as a task sees it: it waits for the head, then for the content, with a deadline between arrivals.
///
/// Only one task at a time may wait.
final class Exchange: TransportReceiver, TimerTarget, Sendable {
    /// The event that the waiting task needs; the end always wakes it.
    fileprivate enum Need {
        case head
        case content
        case end
    }
    fileprivate struct State {
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
    private let clock: any TimeSource
    private let timeout: Duration?
    /// When the exchange fails, regardless of what arrives; `nil` means never.
    private let deadline: Duration?
    private let observer: (any LoadObserver)?
    private let state: Locked<State>

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

    // MARK: The task's side

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

    /// An exchange that has ended successfully, with content of the announced length.
    struct Whole: Sendable {
        let head: HTTPResponse
        /// The status of the head, which parses its digits each time it is read.
        let status: Int
        /// When the head arrived.
        let received: HTTPDate
        let headAt: Duration?
        let start: TransportStart
        let endedAt: Duration
        let content: [UInt8]
        let end: TransportEnd

        fileprivate init(
            _ state: __shared State,
            _ head: HTTPResponse,
            _ status: Int,
            _ content: [UInt8],
            _ end: TransportEnd
        ) {
            self.head = head
            self.status = status
            received = state.headTime
            headAt = state.headAt
            start = state.start
            endedAt = state.lastArrival
            self.content = content
            self.end = end
        }
    }

    /// Takes the whole exchange out, leaving nothing, if it is complete and `willDo` accepts its head.
    func takeWhole(where willDo: (_ head: HTTPResponse, _ status: Int) -> Bool) -> Whole? {
        state.withLock { state in
            guard case .success(let end) = state.end, end.isLengthChecked, let head = state.head.take() else {
                return nil
            }
            let status = head.status.code
            guard willDo(head, status) else {
                state.head = head
                return nil
            }
            var content: [UInt8] = []
            swap(&content, &state.content)
            return Whole(state, head, status, content, end)
        }
    }

    /// Returns the whole exchange, if it is complete.
    func whole() -> Whole? {
        state.withLock { state in
            guard case .success(let end) = state.end, end.isLengthChecked, let head = state.head else {
                return nil
            }
            return Whole(state, head, head.status.code, state.content, end)
        }
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

    // MARK: The transport's side

    func receive(interim response: HTTPResponse) {
        state.withLock { $0.lastArrival = clock.elapsed }
        observer?.observe(interim: response)
    }

    func receive(start: TransportStart) { state.withLock { $0.start = start } }

    func receive(head response: HTTPResponse) {
        var response: HTTPResponse? = response
        wake { take(&response, &$0, at: clock.elapsed) }
    }

    func receive(piece: [UInt8]) -> Bool {
        var (piece, shouldContinue) = (piece, true)
        wake { shouldContinue = take(&piece, &$0, at: clock.elapsed) }
        if !shouldContinue, let reason = reasonToStop { cancel(reason) }
        return shouldContinue
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        receive(rest: TransportRest(head: nil, piece: [], end: end))
    }

    func receive(rest: consuming TransportRest) {
        let moment = clock.elapsed
        var rest = consume rest
        var timer: PendingTimer?
        wake { state in
            // A comparison with `nil` would copy the head.
            if case .some = rest.head { take(&rest.head, &state, at: moment) }
            if !rest.piece.isEmpty { _ = take(&rest.piece, &state, at: moment) }
            state.handle = nil
            state.lastArrival = moment
            swap(&state.timer, &timer)
            if case .failure = rest.end, let stop = state.stop { rest.end = .failure(stop) }
            if state.isTooLarge { rest.end = .failure(Self.tooLarge(state.limits.total)) }
            state.end = rest.end
            state.hasEnded = true
        }
        if let timer { clock.cancel(timer) }
    }

    // Heads and pieces are moved, not copied, because their fields and bytes are reference-counted.

    private func take(_ head: inout HTTPResponse?, _ state: inout State, at moment: Duration) {
        swap(&state.head, &head)
        state.hasHead = true
        state.headTime = clock.now
        state.lastArrival = moment
        state.headAt = moment
    }

    /// Takes a piece; false if no more may follow.
    private func take(_ piece: inout [UInt8], _ state: inout State, at moment: Duration) -> Bool {
        state.received += piece.count
        state.lastArrival = moment
        guard !state.isDiscarding else { return state.received < Self.discardLimit }
        if state.content.isEmpty { swap(&state.content, &piece) } else { state.content += piece }
        state.isPaused = state.content.count >= state.limits.unread
        return !state.isPaused && !state.isTooLarge
    }

    private static let discardLimit = 256 << 10
    private static let discardTime = Duration.seconds(1)

    /// The reason why no more content is wanted; `nil` if the task only has to catch up.
    private var reasonToStop: TransportError? {
        state.withLock { state in
            if state.isDiscarding { return Self.notNeeded }
            return state.isTooLarge ? Self.tooLarge(state.limits.total) : nil
        }
    }

    private static let notNeeded = TransportError(.cancelled, "The content is not needed.")

    private static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(.tooLarge, "The content is larger than \(limit) bytes.")
    }

    private static func failure(_ end: Result<TransportEnd, TransportError>?) -> TransportError {
        if case .failure(let error) = end { return error }
        return TransportError(.badResponse, "The exchange ended without a response.")
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            change(&state)
            guard state.has(state.need) else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
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

    // MARK: The deadline

    private func startTimer(_ deadline: Duration) {
        // The end cancels the timer, so it retains nothing for long; a weak reference would cost at every use.
        let timer = clock.schedule(self, at: deadline)
        let isFinished = state.withLock { state in
            if state.end == nil { state.timer = timer }
            return state.end != nil
        }
        if isFinished { clock.cancel(timer) }
    }

    /// Restarts the timer for the remaining time, because arrivals do not move it.
    func timerFired() {
        let moment = clock.elapsed
        if state.withLock({ $0.isDiscarding }) { return cancel(Self.notNeeded) }
        if let deadline, deadline <= moment { return cancel(.overdue) }
        let arrival = state.withLock { state -> Duration in
            if state.isPaused { state.lastArrival = moment }
            return state.lastArrival
        }
        guard let limit = limit(after: arrival) else { return }
        if limit > moment { return startTimer(limit) }
        guard let timeout else { return }
        cancel(TransportError(.timedOut, "Nothing arrived for \(timeout.secondsText) s."))
    }

    /// Returns the time at which the exchange fails if nothing arrives after an arrival; `nil` means never.
    private func limit(after arrival: Duration) -> Duration? {
        guard let timeout else { return deadline }
        let limit = arrival + timeout.limited
        return deadline.map { min($0, limit) } ?? limit
    }
}
