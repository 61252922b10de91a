import CacheSemantics
import CacheStorage
import Locks

/// Takes the content of an exchange into the store, for others that wait for it, and hands it to its own reader.
///
/// While nobody waits, the origin is held back as the reader is slow. Once somebody does, content comes as fast as the
/// origin sends it, until so much is ahead of all such readers that the others had better ask for themselves.
final class ContentPump: Sendable {
    private struct State {
        var pieces: ArraySlice<[UInt8]> = []
        var ahead = 0
        var end: Result<Void, TransportError>?
        var spool: BoundedSpool?
        /// How much of what is ahead counts against `ReadAhead`.
        var borrowed = 0
        var hasReader = true
        var reader: CheckedContinuation<Void, Never>?
        var room: CheckedContinuation<Void, Never>?
        /// Counts what the pump may have to look at again.
        var news = 0
    }
    private let answer: HopAnswer
    private let load: Load
    private let exchange: Exchange
    private let departure: Departure
    private let state: Lock<State>

    /// `nil` where nothing is to be stored for others, or content is put together from several places.
    init?(_ answer: HopAnswer, _ load: Load, _ spool: BoundedSpool?) {
        guard let spool, let departure = answer.departure, case .live(let exchange) = answer.content else {
            return nil
        }
        self.answer = answer
        self.load = load
        self.exchange = exchange
        self.departure = departure
        state = Lock(State(spool: spool))
    }

    deinit { load.client.readAhead.change(by: -state.withLock { $0.borrowed }) }

    /// Begins to take what comes.
    func start() {
        state.withLock { $0.spool }?.onStall { [weak self] in self?.giveUpStoring() }
        departure.flight.onWait { [weak self] in self?.makeRoom() }
        Task(executorPreference: load.client.transport.executor) { await self.run() }
    }

    // MARK: The reader's side

    /// The next piece; `nil` at the end, when all is stored.
    func piece() async throws(TransportError) -> [UInt8]? {
        while true {
            let (piece, end) = state.withLock { state in
                let piece = state.pieces.popFirst()
                changeAhead(&state, by: -(piece?.count ?? 0))
                return (piece, state.end)
            }
            if let piece {
                makeRoom()
                return piece
            }
            if let end {
                try end.get()
                return nil
            }
            await waitForPiece()
        }
    }

    /// The reader goes; the content still comes where others wait for it, unless it cannot be decoded.
    func leave(_ error: TransportError? = nil) {
        let spool = state.withLock { state in
            state.hasReader = false
            state.pieces = []
            changeAhead(&state, by: -state.ahead)
            guard error?.kind == .cannotDecode else { return BoundedSpool?.none }
            defer { state.spool = nil }
            return state.spool
        }
        spool?.discard()
        makeRoom()
        if spool != nil || !departure.flight.isAwaited { cancel(error) }
    }

    private func cancel(_ error: TransportError?) {
        exchange.cancel(error ?? TransportError(.cancelled, "The content was not read to its end."))
    }

    // MARK: The origin's side

    private func run() async {
        var count = 0
        do throws(TransportError) {
            while let piece = try await exchange.piece() {
                count += piece.count
                store(piece)
                hand(over: piece)
                await waitForRoom()
            }
            try Load.checkLength(count, answer)
            await keep()
            end(.success(()))
        } catch {
            keepIncomplete(error)
            exchange.cancel(error)
            end(.failure(error))
        }
    }

    private func store(_ piece: [UInt8]) {
        guard let spool = state.withLock({ $0.spool }) else { return }
        // What is too large for the store, or one too many, is not kept on the way there either.
        guard spool.hasRoom(for: piece.count, largest: load.client.store?.largestEntry ?? 0) else {
            return dropTooLarge(spool)
        }
        do throws(StorageError) {
            try spool.append(piece)
        } catch {
            drop(spool)
        }
    }

    /// The reader takes nothing, and what it has taken is not kept for its sake where nobody else waits.
    private func giveUpStoring() {
        let spool = state.withLock { $0.ahead >= ContentReader.limit ? $0.spool : nil }
        if let spool, !departure.flight.isAwaited { dropTooLarge(spool) }
    }

    /// What is stored has been replaced at the origin, even if the new response cannot be stored.
    private func dropTooLarge(_ spool: BoundedSpool) {
        drop(spool)
        if let stored = answer.pending?.stored { load.client.store?.remove(stored.key, stored.variant) }
    }

    /// Nothing is stored any more; who waits asks for itself.
    private func drop(_ spool: BoundedSpool) {
        spool.discard()
        state.withLock { $0.spool = nil }
        departure.end(.refused)
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

    private func keep() async {
        let spool = state.withLock { state in
            defer { state.spool = nil }
            return state.spool
        }
        guard let spool, let pending = answer.pending else { return }
        do throws(StorageError) {
            let body = try spool.finish()
            _ = await load.client.keep(pending, body, load.observer?.proposal)
            departure.end(.stored(body))
        } catch {
            spool.discard()
            departure.end(.refused)
        }
    }

    private func keepIncomplete(_ error: TransportError) {
        let spool = state.withLock { state in
            defer { state.spool = nil }
            return state.spool
        }
        guard let spool, let pending = answer.pending, spool.count > 0 else { return }
        do throws(StorageError) {
            load.client.keepIncomplete(pending, try spool.finish())
        } catch {
            spool.discard()
        }
    }

    private func changeAhead(_ state: inout State, by count: Int) {
        state.ahead += count
        let borrowed = max(0, state.ahead - ContentReader.limit)
        guard borrowed != state.borrowed else { return }
        load.client.readAhead.change(by: borrowed - state.borrowed)
        state.borrowed = borrowed
    }

    private func end(_ end: Result<Void, TransportError>) {
        let reader = state.withLock { state in
            state.end = end
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    // MARK: Waiting

    private func waitForPiece() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.pieces.isEmpty, state.end == nil else { return false }
                state.reader = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Waits until the reader has taken enough, unless others wait.
    private func waitForRoom() async {
        while true {
            let (ahead, hasReader, spool, news) = state.withLock {
                ($0.ahead, $0.hasReader, $0.spool, $0.news)
            }
            if !hasReader {
                if spool == nil || !departure.flight.isAwaited { cancel(nil) }
                return
            }
            guard ahead >= ContentReader.limit else { return }
            if spool != nil, departure.flight.isAwaited {
                guard load.client.readAhead.isSpent else { return }
                departure.end(.refused)
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

    /// Has the pump look again whether it may go on.
    private func makeRoom() {
        let room = state.withLock { state in
            state.news += 1
            defer { state.room = nil }
            return state.room
        }
        room?.resume()
    }
}
