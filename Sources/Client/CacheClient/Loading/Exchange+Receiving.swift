import CacheSemantics
import Clocks
import HTTPTypes
import Locks

/// The transport's side of an exchange.
extension Exchange: TransportReceiver {
    func receive(interim response: HTTPResponse) {
        state.withLock { $0.lastArrival = clock.elapsed }
        observer?.observe(interim: response)
    }

    func receive(start: TransportStart) { state.withLock { $0.start = start } }

    func receive(head response: HTTPResponse) {
        var response: HTTPResponse? = response
        waiter(after: { take(&response, &$0, at: clock.elapsed) })?.resume()
    }

    func receive(piece: [UInt8]) -> Bool {
        var (piece, shouldContinue) = (piece, true)
        waiter(after: { shouldContinue = take(&piece, &$0, at: clock.elapsed) })?.resume()
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
        let waiter = waiter { state in
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
        waiter?.resume()
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
    static let discardTime = Duration.seconds(1)

    /// The reason why no more content is wanted; `nil` if the task only has to catch up.
    private var reasonToStop: TransportError? {
        state.withLock { state in
            if state.isDiscarding { return Self.notNeeded }
            return state.isTooLarge ? Self.tooLarge(state.limits.total) : nil
        }
    }

    static let notNeeded = TransportError(.cancelled, "The content is not needed.")

    private static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(.tooLarge, "The content is larger than \(limit) bytes.")
    }

    /// Changes the state, and returns the waiting task if what it needs is there.
    private func waiter(after change: (inout State) -> Void) -> UnsafeContinuation<Void, Never>? {
        state.withLock { state in
            change(&state)
            guard state.has(state.need) else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
    }
}
