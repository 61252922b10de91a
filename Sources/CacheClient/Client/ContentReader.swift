import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// Reads the content of one answer piece by piece, and stores it at its end.
final class ContentReader: Sendable {
    private struct State: Sendable {
        var decoder: ContentDecoder
        var spool: BodySpool?
        var offset = 0
        var isOver = false
    }
    private static let pieceBytes = 64 << 10
    /// What may have arrived without being read, in bytes.
    static let limit = 4 * pieceBytes

    private let answer: HopAnswer
    private let load: Load
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
            )
        )
        let length = Self.length(answer) ?? 0
        if case .live = answer.content, answer.pending != nil, length <= client.store?.largestEntry ?? 0 {
            state.spool = client.store?.spool(expectedSize: Self.length(answer))
        }
        self.state = Lock(state)
    }

    deinit {
        guard let state = state.withLock({ $0 }), !state.isOver else { return }
        if case .live(let exchange) = answer.content {
            exchange.cancel(TransportError(.cancelled, "The content was not read to its end."))
        }
        state.spool?.discard()
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

    private func coded(_ current: inout State) async throws(TransportError) -> [UInt8]? {
        switch answer.content {
        case .none: return nil
        case .stored(let body):
            do throws(StorageError) {
                let piece = try body.read(from: current.offset, count: Self.pieceBytes)
                current.offset += piece.count
                return piece.isEmpty ? nil : piece
            } catch {
                throw TransportError(.unknown, error.description)
            }
        case .live(let exchange):
            guard let piece = try await exchange.piece() else {
                try Load.checkLength(current.offset, answer)
                return nil
            }
            current.offset += piece.count
            append(piece, &current)
            return piece
        }
    }

    /// What cannot be spooled is delivered all the same, and not stored.
    private func append(_ piece: [UInt8], _ current: inout State) {
        guard let spool = current.spool else { return }
        // What is too large for the store is not kept on the way there either.
        if spool.count + piece.count > load.client.store?.largestEntry ?? 0 {
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
        if case .live(let exchange) = answer.content { exchange.add(to: &metrics) }
        metrics.endedAt = load.client.clock.elapsed
        load.observer?.observe(.finish(load.finished + [metrics]))
    }

    private func fail(_ error: TransportError, _ current: inout State) -> ClientError {
        current.isOver = true
        current.spool?.discard()
        current.spool = nil
        if case .live(let exchange) = answer.content { exchange.cancel(error) }
        let error = ClientError(error, url: load.hop.fullURL, findings: answer.findings)
        load.observer?.observe(.fail(error))
        return error
    }

    private static func length(_ answer: HopAnswer) -> Int? {
        answer.response.headerFields[.contentLength].flatMap { Int($0) }
    }
}
