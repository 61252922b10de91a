import Locks

/// A pump that stores the content of an exchange for other requests that wait for it, and hands it to its own reader.
///
/// While no other request waits, the origin is slowed down to the speed of the reader. Once one does, content arrives
/// as fast as the origin sends it, until so much is ahead of all such readers that the others should send their own
/// requests.
final class ContentPump: Sendable {
    private struct State {
        // Not a slice, which would keep the memory of what was taken from its start.
        var pieces: [[UInt8]] = []
        var ahead = 0
        var end: Result<Void, TransportError>?
        /// The bytes ahead beyond what is allowed in any case.
        var excess = HeldBytes.Share()
        var hasReader = true
        /// Whether reading was cancelled.
        var isCancelled = false
        var reader: CheckedContinuation<Void, Never>?
        var room: CheckedContinuation<Void, Never>?
        /// Counts the events after which the pump may have to check again.
        var news = 0
    }
    private let answer: TransactionResult
    private let load: Load
    private let exchange: Exchange
    private let leader: FlightLeader
    private let writer: ContentWriter
    private let state = Lock(State())
    /// Bytes that contents may be ahead of their readers in total, beyond what each may be in any case.
    private static let maximumBytesAhead = 6 << 20

    /// Creates a pump; `nil` if nothing is to be stored for others, or if content is composed of several sources.
    init?(_ answer: TransactionResult, _ load: Load, _ writer: ContentWriter?) {
        guard let writer, let leader = answer.leader, case .live(let exchange) = answer.content else {
            return nil
        }
        self.answer = answer
        self.load = load
        self.exchange = exchange
        self.leader = leader
        self.writer = writer
    }

    deinit { state.withLock { $0.excess.change(to: 0, of: load.client.readAhead) } }

    /// Starts to take the content.
    func start() {
        writer.onStall { [weak self] in self?.giveUpStoring() }
        leader.flight.onWait { [weak self] in self?.makeRoom() }
        leader.flight.onLeave { [weak self] in self?.cancelUnlessWanted() }
        Task(executorPreference: load.client.transport.executor) { await self.run() }
    }

    // MARK: The reader's side

    /// Returns the next piece; `nil` at the end, once everything is stored.
    nonisolated(nonsending) func piece() async throws(TransportError) -> [UInt8]? {
        while true {
            if Task.isCancelled { throw .requestCancelled }
            let (piece, end, isCancelled) = state.withLock { state in
                let piece = state.pieces.isEmpty ? nil : state.pieces.removeFirst()
                changeAhead(&state, by: -(piece?.count ?? 0))
                return (piece, state.end, state.isCancelled)
            }
            if isCancelled { throw .requestCancelled }
            if let piece {
                makeRoom()
                return piece
            }
            if let end {
                try end.get()
                return nil
            }
            await withTaskCancellationHandler {
                await waitForPiece()
            } onCancel: {
                wakeReader()
            }
        }
    }

    /// Ends the reader's wait for a piece, with the error of a cancelled request; another task may call this.
    func cancelReading() {
        state.withLock { $0.isCancelled = true }
        wakeReader()
    }

    /// Detaches the reader; the content still arrives if others wait for it, unless it cannot be decoded.
    func leave(_ error: TransportError? = nil) {
        state.withLock { state in
            state.hasReader = false
            state.pieces = []
            changeAhead(&state, by: -state.ahead)
        }
        let isUndecodable = error?.kind == .cannotDecode
        if isUndecodable { writer.discard() }
        makeRoom()
        if isUndecodable || !leader.flight.isAwaited { cancel(error) }
    }

    /// Cancels the exchange if neither the reader nor another request is left, which the next piece may be long after.
    private func cancelUnlessWanted() {
        if !state.withLock({ $0.hasReader }), !leader.flight.isAwaited { cancel(nil) }
    }

    private func cancel(_ error: TransportError?) {
        exchange.cancel(error ?? TransportError(.cancelled, "The content was not read to the end."))
    }

    // MARK: The origin's side

    private func run() async {
        var count = 0
        do throws(TransportError) {
            while let piece = try await exchange.piece() {
                count += piece.count
                writer.append(piece)
                hand(over: piece)
                await waitForRoom()
            }
            try Load.checkLength(count, answer)
            await writer.finish()
            end(.success(()))
        } catch {
            writer.finishIncomplete()
            // The reader may keep its response for long after the failure.
            leader.end(nil)
            exchange.cancel(error)
            end(.failure(error))
        }
    }

    /// Stops storing if the reader has stalled and no other request waits.
    private func giveUpStoring() {
        let isAhead = state.withLock { $0.ahead >= ContentReader.limit }
        if isAhead, !leader.flight.isAwaited { writer.giveUp() }
    }

    private func hand(over piece: [UInt8]) {
        let reader = state.withLock { state in
            guard state.hasReader else { return CheckedContinuation<Void, Never>?.none }
            state.pieces.append(piece)
            changeAhead(&state, by: piece.count)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    private func changeAhead(_ state: inout State, by count: Int) {
        state.ahead += count
        state.excess.change(to: max(0, state.ahead - ContentReader.limit), of: load.client.readAhead)
    }

    private func end(_ end: Result<Void, TransportError>) {
        state.withLock { $0.end = end }
        wakeReader()
    }

    private func wakeReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    // MARK: Waiting

    nonisolated(nonsending) private func waitForPiece() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.pieces.isEmpty, state.end == nil, !state.isCancelled, !Task.isCancelled else {
                    return false
                }
                state.reader = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Waits until the reader has taken enough, unless others wait.
    private func waitForRoom() async {
        while true {
            let (ahead, hasReader, news) = state.withLock { ($0.ahead, $0.hasReader, $0.news) }
            let isAwaited = writer.isOpen && leader.flight.isAwaited
            if !hasReader, !isAwaited { cancel(nil) }
            guard hasReader, ahead >= ContentReader.limit else { return }
            if isAwaited {
                guard load.client.readAhead.count >= Self.maximumBytesAhead else { return }
                // The others send their own requests, whose responses are stored.
                writer.giveUp()
            }
            await waitForReader(since: news)
        }
    }

    private func waitForReader(since news: Int) async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.news == news else { return false }
                state.room = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Makes the pump check again whether it may continue.
    private func makeRoom() {
        let room = state.withLock { state in
            state.news += 1
            defer { state.room = nil }
            return state.room
        }
        room?.resume()
    }
}
