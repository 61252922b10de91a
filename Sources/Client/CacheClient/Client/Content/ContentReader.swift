import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// Reads the content of one answer piece by piece, and stores it at its end.
final class ContentReader: Sendable {
    private struct State: Sendable {
        var decoder: ContentDecoder
        var spool: BoundedSpool?
        /// What is still to be read, in order.
        var segments: ArraySlice<HopAnswer.Segment>
        /// Bytes that have arrived from the origin.
        var offset = 0
        var isOver = false
    }
    private static let pieceBytes = 64 << 10
    /// What may have arrived without being read, in bytes; at each of the places where content waits.
    static let limit = 32 << 10

    private let answer: HopAnswer
    private let load: Load
    /// Stores the content while others wait for it; `nil` where this reader does.
    private let pump: ContentPump?
    /// `nil` while somebody reads.
    private let state: Lock<State?>

    init(_ answer: HopAnswer, load: Load) {
        self.answer = answer
        self.load = load
        let client = load.client
        var state = State(
            decoder: ContentDecoder(
                answer.response,
                limit: client.configuration.largestDecodedBody,
                isNeeded: client.configuration.decodesContent
            ),
            segments: answer.segments[...]
        )
        let length = answer.arriving ?? Self.length(answer)
        if answer.exchange != nil, answer.pending != nil, length ?? 0 <= client.store?.largestEntry ?? 0 {
            state.spool = client.store.map {
                BoundedSpool($0.spool(expectedSize: length), clock: client.clock, held: client.held)
            }
        }
        pump = ContentPump(answer, load, state.spool)
        let spool = state.spool
        if pump == nil { answer.departure?.end(.refused) } else { state.spool = nil }
        self.state = Lock(state)
        if let pump { pump.start() } else { spool?.onStall { [weak self] in self?.giveUpStoring() } }
    }

    deinit {
        if let pump { return pump.leave() }
        guard let state = state.withLock({ $0 }), !state.isOver else { return }
        answer.exchange?.cancel(TransportError(.cancelled, "The content was not read to its end."))
        if let spool = state.spool { keepIncomplete(spool) }
    }

    /// The next piece; one task at a time may ask.
    func next() async throws(ClientError) -> [UInt8]? {
        guard
            var current = state.withLock({ state in
                defer { state = nil }
                return state
            })
        else {
            throw ClientError(
                code: -1,
                url: load.hop.fullURL,
                reason: "Somebody else is reading the content."
            )
        }
        defer { state.withLock { [current] in $0 = current } }
        guard !current.isOver else { return nil }
        do throws(TransportError) {
            while let piece = try await coded(&current) {
                let plain = try current.decoder.decode(piece)
                guard !plain.isEmpty else { continue }
                load.observer?.observe(.data(plain))
                return plain
            }
            try current.decoder.finish()
            await finish(&current)
            return nil
        } catch {
            throw fail(error, &current)
        }
    }

    /// The next piece as it is coded; `nil` at the end.
    private func coded(_ current: inout State) async throws(TransportError) -> [UInt8]? {
        while let segment = current.segments.first {
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
                    append(piece, &current)
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
                throw StorageError(operation: "read", path: "a body", reason: "it ends too early")
            }
            return piece
        } catch {
            throw TransportError(.unknown, error.description)
        }
    }

    /// What cannot be spooled is delivered all the same, and not stored.
    private func append(_ piece: [UInt8], _ current: inout State) {
        guard let spool = current.spool else { return }
        // What is too large for the store, or one too many, is not kept on the way there either.
        guard spool.hasRoom(for: piece.count, largest: load.client.store?.largestEntry ?? 0) else {
            spool.discard()
            current.spool = nil
            return removeReplaced()
        }
        do throws(StorageError) {
            try spool.append(piece)
        } catch {
            spool.discard()
            current.spool = nil
        }
    }

    /// Nobody reads, and what was read is not kept for that reader's sake.
    private func giveUpStoring() {
        let spool = state.withLock { state in
            defer { state?.spool = nil }
            return state?.spool
        }
        guard let spool else { return }
        spool.discard()
        removeReplaced()
    }

    /// What is stored has been replaced at the origin, even if the new response cannot be stored.
    private func removeReplaced() {
        guard let stored = answer.pending?.stored else { return }
        load.client.store?.remove(stored.key, stored.variant)
    }

    private func finish(_ current: inout State) async {
        current.isOver = true
        if let spool = current.spool, let pending = answer.pending {
            do throws(StorageError) {
                _ = await load.client.keep(pending, try spool.finish(), load.observer?.proposal)
            } catch {
                spool.discard()
            }
            current.spool = nil
        }
        var metrics = answer.metrics
        answer.exchange?.add(to: &metrics)
        metrics.endedAt = load.client.clock.elapsed
        load.observer?.observe(.finish(load.finished + [metrics]))
    }

    private func fail(_ error: TransportError, _ current: inout State) -> ClientError {
        current.isOver = true
        if let spool = current.spool {
            if error.kind == .cannotDecode { spool.discard() } else { keepIncomplete(spool) }
        }
        current.spool = nil
        if let pump { pump.leave(error) } else { answer.exchange?.cancel(error) }
        let error = ClientError(error, url: load.hop.fullURL, findings: answer.findings)
        load.observer?.observe(.fail(error))
        return error
    }

    /// Stores what has come of content that broke off.
    private func keepIncomplete(_ spool: BoundedSpool) {
        guard let pending = answer.pending, spool.count > 0 else { return spool.discard() }
        do throws(StorageError) {
            load.client.keepIncomplete(pending, try spool.finish())
        } catch {
            spool.discard()
        }
    }

    private static func length(_ answer: HopAnswer) -> Int? {
        answer.response.headerFields[.contentLength].flatMap { Int($0) }
    }
}
