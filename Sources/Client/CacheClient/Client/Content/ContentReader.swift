import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// A reader of the content of one answer, piece by piece, which stores it at its end.
final class ContentReader: Sendable {
    private struct State: Sendable {
        var decoder: ContentDecoder
        /// The segments that are still to be read, in order.
        var segments: ArraySlice<TransactionResult.Segment>
        /// Bytes that have arrived from the origin.
        var offset = 0
        var isFinished = false
    }
    private struct Access: Sendable {
        /// `nil` while a task reads.
        var state: State?
        var isCancelled = false
    }
    private static let pieceBytes = 64 << 10
    /// The bytes that may have arrived without being read, at each of the places where content waits.
    static let limit = 32 << 10

    private let answer: TransactionResult
    private let load: Load
    /// Stores the content while others wait for it; `nil` if this reader does.
    private let pump: ContentPump?
    /// `nil` if nothing is to be stored, or if the pump stores it.
    private let writer: ContentWriter?
    private let access: Lock<Access>

    init(_ answer: TransactionResult, load: Load) {
        self.answer = answer
        self.load = load
        let configuration = load.client.configuration
        let decoder = ContentDecoder(
            answer.response,
            limit: configuration.contentLimit,
            isNeeded: configuration.decodesContent
        )
        access = Lock(Access(state: State(decoder: decoder, segments: answer.segments[...])))
        let writer = ContentWriter(answer, load)
        pump = ContentPump(answer, load, writer)
        self.writer = pump == nil ? writer : nil
        if let pump {
            pump.start()
        } else {
            answer.leader?.end(.refused)
            writer?.onStall { [weak self] in self?.giveUpStoring() }
        }
    }

    deinit {
        guard var state = access.withLock({ $0.state }), !state.isFinished else {
            pump?.leave()
            return
        }
        _ = fail(TransportError(.cancelled, "The content was not read to the end."), &state)
    }

    /// Returns the next piece; only one task at a time may call this.
    nonisolated(nonsending) func next() async throws(ClientError) -> [UInt8]? {
        var current = try begin()
        defer { end(current) }
        guard !current.isFinished else { return nil }
        do throws(TransportError) {
            if let piece = try await decoded(&current) { return piece }
            try current.decoder.finish()
            await finish(&current)
            return nil
        } catch {
            throw fail(error, &current)
        }
    }

    /// Returns the next piece without its content coding; `nil` at the end.
    nonisolated(nonsending) private func decoded(_ current: inout State) async throws(TransportError)
        -> [UInt8]?
    {
        while let piece = try await coded(&current) {
            let plain = try current.decoder.decode(piece)
            guard !plain.isEmpty else { continue }
            load.observer?.observe(.data(plain))
            return plain
        }
        return nil
    }

    /// Ends reading: a read that waits and all later ones throw the error of a cancelled request, unless the end has been read.
    func cancel() {
        let idle = access.withLock { access -> State? in
            guard !access.isCancelled, access.state?.isFinished != true else { return nil }
            access.isCancelled = true
            return access.state.take()
        }
        if let idle { return end(idle) }
        guard isCancelled else { return }
        // Wakes the task that reads, which then finds that it is cancelled.
        if let pump { pump.cancelReading() } else { answer.exchange?.cancel(.requestCancelled) }
    }

    private var isCancelled: Bool { access.withLock { $0.isCancelled } }

    /// Takes the state for a task that reads.
    private func begin() throws(ClientError) -> State {
        let (state, isCancelled) = access.withLock { access in
            (access.isCancelled ? nil : access.state.take(), access.isCancelled)
        }
        if let state { return state }
        if isCancelled { throw error(.requestCancelled) }
        throw ClientError(
            code: -1,
            url: load.transaction.fullURL,
            reason: "The content is already being read."
        )
    }

    /// Returns the state after a read; ends the exchange if it was cancelled meanwhile.
    private func end(_ state: State) {
        let isLast = access.withLock { access in
            if access.isCancelled, !state.isFinished { return true }
            access.state = state
            return false
        }
        guard isLast else { return }
        var state = state
        _ = fail(.requestCancelled, &state)
        access.withLock { [state] in $0.state = state }
    }

    /// Returns the next piece in its content coding; `nil` at the end.
    nonisolated(nonsending) private func coded(_ current: inout State) async throws(TransportError)
        -> [UInt8]?
    {
        while let segment = current.segments.first {
            if Task.isCancelled || isCancelled { throw .requestCancelled }
            switch segment {
            case .bytes(let bytes):
                current.segments.removeFirst()
                return bytes
            case .stored(let body, let range):
                let piece = try Self.piece(of: body, range)
                current.segments.removeFirst()
                let rest = (range.lowerBound + piece.count)..<range.upperBound
                if !rest.isEmpty {
                    current.segments.insert(.stored(body, rest), at: current.segments.startIndex)
                }
                if !piece.isEmpty { return piece }
            case .live where pump != nil:
                if let piece = try await pump?.piece() { return piece }
                current.segments.removeFirst()
            case .live(let exchange):
                if let piece = try await exchange.piece() {
                    current.offset += piece.count
                    writer?.append(piece)
                    return piece
                }
                try Load.checkLength(current.offset, answer)
                current.segments.removeFirst()
            }
        }
        return nil
    }

    private static func piece(of body: StoredBody, _ range: Range<Int>) throws(TransportError) -> [UInt8] {
        do throws(StorageError) {
            let piece = try body.read(from: range.lowerBound, count: min(pieceBytes, range.count))
            guard !piece.isEmpty || range.isEmpty else {
                throw StorageError(damaged: "a body", reason: "it ends too early")
            }
            return piece
        } catch {
            throw TransportError(.unknown, error.description)
        }
    }

    /// Stops storing if no task reads.
    private func giveUpStoring() {
        if access.withLock({ $0.state != nil }) { writer?.giveUp() }
    }

    nonisolated(nonsending) private func finish(_ current: inout State) async {
        current.isFinished = true
        await writer?.finish()
        var metrics = answer.metrics
        answer.exchange?.add(to: &metrics)
        metrics.endedAt = load.client.clock.elapsed
        load.observer?.observe(.finish(load.finished + [metrics]))
    }

    private func fail(_ error: TransportError, _ current: inout State) -> ClientError {
        current.isFinished = true
        if error.kind == .cannotDecode { writer?.discard() } else { writer?.finishIncomplete() }
        if let pump { pump.leave(error) } else { answer.exchange?.cancel(error) }
        let failure = self.error(error)
        load.observer?.observe(.fail(failure))
        return failure
    }

    private func error(_ cause: TransportError) -> ClientError {
        ClientError(cause, url: load.transaction.fullURL, findings: answer.findings)
    }
}
