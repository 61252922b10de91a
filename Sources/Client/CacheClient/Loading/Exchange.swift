import Clocks
import HTTPTypes
import Locks

/// One exchange as a task sees it: waits for the head, then for the content, with a deadline between arrivals.
///
/// One task at a time may wait.
final class Exchange: TransportReceiver, TimerTarget, Sendable {
    /// What the waiting task waits for; the end always wakes it.
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
        var headWallSeconds: Double = 0
        var headAt: Duration?
        var content: [UInt8] = []
        var received = 0
        var isPaused = false
        var end: Result<TransportEnd, TransportError>?
        var stop: TransportError?
        var limit = Int.max
        var isDiscarding = false
        var waiter: UnsafeContinuation<Void, Never>?
        var need = Need.end
        var timer: PendingTimer?
        var lastArrival: Duration = .zero

        var hasEnded = false

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
    private let observer: (any LoadObserver)?
    private let state: Locked<State>

    /// The sender has to wait while more than `limit` bytes have come that nobody has taken; `moment` is now.
    init(
        clock: any TimeSource,
        timeout: Duration?,
        limit: Int = .max,
        observer: (any LoadObserver)? = nil,
        at moment: Duration
    ) {
        self.clock = clock
        self.timeout = timeout
        self.observer = observer
        state = Locked(State(limit: limit, lastArrival: moment))
    }

    /// Sends `request` without waiting for anything; returns whether the exchange is over already.
    func begin(_ request: TransportRequest, over transport: any Transport, at moment: Duration) -> Bool {
        let handle = transport.start(request, receiver: self)
        let (isOver, isStopped) = state.withLock { state in
            if !state.hasEnded { state.handle = handle }
            return (state.hasEnded, state.stop != nil)
        }
        if isStopped { handle.cancel() }
        if !isOver, let timeout { startTimer(moment + timeout) }
        return isOver
    }

    // MARK: The task's side

    /// Waits until `head()` has something to say.
    nonisolated(nonsending) func waitForHead() async { await wait(for: .head) }

    /// The head and when it came, in wall seconds; throws the transport's error where none came.
    func head() throws(TransportError) -> (head: HTTPResponse, wallSeconds: Double) {
        let (head, wallSeconds, end) = state.withLock { ($0.head, $0.headWallSeconds, $0.end) }
        if let head { return (head, wallSeconds) }
        throw Self.failure(end)
    }

    /// Waits for all content.
    nonisolated(nonsending) func content() async throws(TransportError) -> [UInt8] {
        while true {
            if let content = try contentAtOnce() { return content }
            await wait(for: .end)
        }
    }

    /// All content, where it is there; throws the transport's error.
    func contentAtOnce() throws(TransportError) -> [UInt8]? {
        let (end, content) = state.withLock { ($0.end, $0.end == nil ? [] : $0.content) }
        guard let end else { return nil }
        _ = try end.get()
        return content
    }

    /// An exchange that has ended well, its content as long as was announced.
    struct Whole: Sendable {
        let head: HTTPResponse
        /// That of the head, which reads it from its digits each time.
        let status: Int
        let wallSeconds: Double
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
            wallSeconds = state.headWallSeconds
            headAt = state.headAt
            start = state.start
            endedAt = state.lastArrival
            self.content = content
            self.end = end
        }
    }

    /// All of it, where it is there and its head will do: taken out, so that nothing is left.
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

    /// All of it, where it is there.
    func whole() -> Whole? {
        state.withLock { state in
            guard case .success(let end) = state.end, end.isLengthChecked, let head = state.head else {
                return nil
            }
            return Whole(state, head, head.status.code, state.content, end)
        }
    }

    /// What has come and was not taken, of an exchange that may have broken off.
    func remains() -> [UInt8] {
        state.withLock { state in
            defer { state.content = [] }
            return state.content
        }
    }

    /// Waits for some content; `nil` at the end.
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

    /// Lets content come and throws it away, so that the connection can be used again; too much is broken off.
    func discard() {
        let handle = state.withLock { state in
            state.isDiscarding = true
            state.content = []
            defer { state.isPaused = false }
            return state.isPaused ? state.handle : nil
        }
        handle?.resume()
    }

    /// Breaks the exchange off, which ends with `error`.
    func cancel(_ error: TransportError) {
        let handle = state.withLock { state in
            if state.end == nil, state.stop == nil { state.stop = error }
            return state.handle
        }
        handle?.cancel()
    }

    /// Whether the transport has compared the content with its announced length.
    var isLengthChecked: Bool {
        state.withLock { state in
            guard case .success(let end) = state.end else { return false }
            return end.isLengthChecked
        }
    }

    /// Copies what is known so far; returns whether the transport has compared the content with its announced length.
    @discardableResult
    func add(to metrics: inout TransactionMetrics) -> Bool {
        state.withLock { state in
            if metrics.headAt == nil {
                metrics.status = state.head?.status.code
                metrics.headAt = state.headAt
                if state.hasHead { metrics.add(state.start) }
            }
            metrics.bodyBytes = state.received
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
        var (piece, goesOn) = (piece, true)
        wake { goesOn = take(&piece, &$0, at: clock.elapsed) }
        if !goesOn, isDiscarding { cancel(TransportError(.cancelled, "The content is not needed.")) }
        return goesOn
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        receive(rest: TransportRest(head: nil, piece: [], end: end))
    }

    func receive(rest: consuming TransportRest) {
        let moment = clock.elapsed
        var rest = consume rest
        var timer: PendingTimer?
        wake { state in
            // A comparison with `nil` would copy it.
            if case .some = rest.head { take(&rest.head, &state, at: moment) }
            if !rest.piece.isEmpty { _ = take(&rest.piece, &state, at: moment) }
            state.handle = nil
            state.lastArrival = moment
            swap(&state.timer, &timer)
            if case .failure = rest.end, let stop = state.stop { rest.end = .failure(stop) }
            state.end = rest.end
            state.hasEnded = true
        }
        if let timer { clock.cancel(timer) }
    }

    // What is handed on is moved, not copied: at both its fields and its bytes somebody counts references.

    private func take(_ head: inout HTTPResponse?, _ state: inout State, at moment: Duration) {
        swap(&state.head, &head)
        state.hasHead = true
        state.headWallSeconds = clock.wallSeconds
        state.lastArrival = moment
        state.headAt = moment
    }

    /// False where no more may come.
    private func take(_ piece: inout [UInt8], _ state: inout State, at moment: Duration) -> Bool {
        state.received += piece.count
        state.lastArrival = moment
        guard !state.isDiscarding else { return state.received < Self.discardLimit }
        if state.content.isEmpty { swap(&state.content, &piece) } else { state.content += piece }
        state.isPaused = state.content.count >= state.limit
        return !state.isPaused
    }

    private static let discardLimit = 256 << 10

    private var isDiscarding: Bool { state.withLock { $0.isDiscarding } }

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
            await withUnsafeContinuation { continuation in
                let waits = state.withLock { state in
                    guard !state.has(need) else { return false }
                    state.need = need
                    state.waiter = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            cancel(TransportError(.cancelled, "The request was cancelled."))
        }
    }

    /// Whether what is needed has come, or comes while this thread works for it, which it may where it holds no actor.
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
        // The end calls it off, so that nothing is kept by it for long; a weak reference would cost at every use.
        let timer = clock.schedule(self, at: deadline)
        let isOver = state.withLock { state in
            if state.end == nil { state.timer = timer }
            return state.end != nil
        }
        if isOver { clock.cancel(timer) }
    }

    /// Arrivals do not move the timer; when it fires, it is set anew for what is left.
    func timerFired() {
        guard let timeout else { return }
        let moment = clock.elapsed
        let deadline = state.withLock { state -> Duration in
            if state.isPaused { state.lastArrival = moment }
            return state.lastArrival + timeout
        }
        if deadline > moment { return startTimer(deadline) }
        cancel(TransportError(.timedOut, "Nothing arrived for \(timeout.seconds) s."))
    }
}
