import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension Load {
    /// Receives the content and stores the pending response; `nil` if stored content could not be read and the transaction
    /// must be answered without it.
    nonisolated(nonsending) mutating func deliver(_ answer: TransactionResult) async throws(ClientError)
        -> ClientResponse?
    {
        let body: [UInt8]
        switch answer.content {
        case .none:
            observer?.observe(.response(answer.response, answer.source))
            body = []
        case .stored(let stored):
            guard let coded = readable(stored, answer) else { return nil }
            observer?.observe(.response(answer.response, answer.source))
            body = try decoded(coded, answer)
            if !body.isEmpty { observer?.observe(.data(body)) }
            answer.metrics.contentSize = .bytes(coded.count)
        case .live(let exchange):
            observer?.observe(.response(answer.response, answer.source))
            body = try await receive(exchange, answer)
        case .composed(let segments):
            guard let whole = try await compose(segments, answer) else { return nil }
            body = whole
        }
        return response(answer, body)
    }

    /// Returns the whole response if it has already arrived, and there is neither an observer nor a hook; `nil` if it
    /// must be awaited.
    func deliverAtOnce(_ answer: TransactionResult) throws(ClientError) -> ClientResponse? {
        guard observer == nil, client.configuration.willCache == nil,
            case .live(let exchange) = answer.content
        else { return nil }
        var coded: [UInt8] = []
        do throws(TransportError) {
            guard let content = try exchange.contentAtOnce() else { return nil }
            coded = content
            let body = try whole(coded, answer)
            try check(exchange, coded, answer)
            if let pending = answer.pending {
                let isStored = client.keepUnasked(pending, .bytes(coded))
                answer.status.isStored = isStored
                client.noteSize(coded.count, of: answer)
                answer.leader?.flight.land(.arrived(.bytes(coded), isStored: isStored))
            }
            return response(answer, body)
        } catch {
            throw fail(error, exchange, coded, answer)
        }
    }

    private func response(_ answer: TransactionResult, _ body: [UInt8]) -> ClientResponse {
        answer.metrics.endedAt = client.clock.elapsed
        observer?.observe(.finish(finished + [answer.metrics]))
        return ClientResponse(answer, body, of: self)
    }

    /// Stores an answer that has no reader, such as a redirect, as it arrives.
    ///
    /// The exchange ends when the content turns out to be too large to be stored.
    nonisolated(nonsending) func keepWithoutDelivering(_ answer: TransactionResult) async {
        guard let exchange = answer.exchange else { return }
        guard let writer = ContentWriter(answer, self) else {
            answer.leader?.end(.refused)
            return exchange.discard()
        }
        var count = 0
        do throws(TransportError) {
            while let piece = try await exchange.piece() {
                count += piece.count
                writer.append(piece)
                guard writer.isOpen else { return exchange.discard() }
            }
            try Self.checkLength(count, answer)
            await writer.finish()
        } catch {
            // No caller waits for this content.
            writer.finishIncomplete()
        }
    }

    private mutating func readable(_ stored: StoredBody, _ answer: TransactionResult) -> [UInt8]? {
        do throws(StorageError) {
            return try stored.readAll()
        } catch {
            leaveOut(answer, error)
            return nil
        }
    }

    /// Arranges for the transaction to be answered without stored content that could not be read.
    ///
    /// Damaged content is removed. Content that the system cannot read at the moment stays, and only this load does
    /// without it.
    mutating func leaveOut(_ answer: TransactionResult, _ error: StorageError) {
        guard let stored = answer.stored else { return }
        guard !error.isDamage else {
            client.store?.remove(stored.key, stored.contentVariant)
            return
        }
        let damage = StorageDamage(
            subject: stored.key.targetURI,
            reason: "could not be read: \(error.reason)"
        )
        nextLook = client.lookPast(transaction, damage)
    }

    func decoded(_ coded: [UInt8], _ answer: TransactionResult) throws(ClientError) -> [UInt8] {
        do throws(TransportError) {
            return try ContentDecoder.decode(
                coded,
                of: answer.response,
                limit: client.configuration.contentLimit
            )
        } catch {
            throw ClientError(error, url: transaction.fullURL, findings: answer.findings)
        }
    }

    /// Receives content from the network; the caller gets it decoded, the store as received.
    nonisolated(nonsending) private func receive(_ exchange: Exchange, _ answer: TransactionResult)
        async throws(ClientError) -> [UInt8]
    {
        var coded: [UInt8] = []
        do throws(TransportError) {
            let body =
                observer == nil
                ? try await receiveWhole(exchange, answer, &coded)
                : try await receivePieces(exchange, answer, &coded)
            try check(exchange, coded, answer)
            if let pending = answer.pending {
                let isStored = await client.keep(pending, .bytes(coded), observer?.proposal)
                answer.status.isStored = isStored
                client.noteSize(coded.count, of: answer)
                answer.leader?.flight.land(.arrived(.bytes(coded), isStored: isStored))
            }
            return body
        } catch {
            throw fail(error, exchange, coded, answer)
        }
    }

    private func check(_ exchange: Exchange, _ coded: [UInt8], _ answer: TransactionResult)
        throws(TransportError)
    {
        let isChecked = exchange.add(to: &answer.metrics)
        if !isChecked { try Self.checkLength(coded.count, answer) }
    }

    /// Cancels a failed exchange, and stores the part that has arrived.
    private func fail(
        _ error: TransportError,
        _ exchange: Exchange,
        _ coded: [UInt8],
        _ answer: TransactionResult
    ) -> ClientError {
        exchange.cancel(error)
        if let pending = answer.pending, error.kind != .cannotDecode, error.kind != .tooLarge {
            client.keepIncomplete(pending, .bytes(coded + exchange.remains()))
        }
        return ClientError(error, url: transaction.fullURL, findings: answer.findings)
    }

    nonisolated(nonsending) private func receiveWhole(
        _ exchange: Exchange,
        _ answer: TransactionResult,
        _ coded: inout [UInt8]
    ) async throws(TransportError) -> [UInt8] {
        coded = try await exchange.content()
        return try whole(coded, answer)
    }

    private func whole(_ coded: [UInt8], _ answer: TransactionResult) throws(TransportError) -> [UInt8] {
        let limit = client.configuration.contentLimit
        return try ContentDecoder.decode(coded, of: answer.response, limit: limit)
    }

    nonisolated(nonsending) private func receivePieces(
        _ exchange: Exchange,
        _ answer: TransactionResult,
        _ coded: inout [UInt8]
    ) async throws(TransportError) -> [UInt8] {
        var decoder = ContentDecoder(answer.response, limit: client.configuration.contentLimit)
        var body: [UInt8] = []
        while let piece = try await exchange.piece() {
            coded += piece
            let plain = try decoder.decode(piece)
            guard !plain.isEmpty else { continue }
            body += plain
            observer?.observe(.data(plain))
        }
        try decoder.finish()
        return body
    }

    /// Throws if content is shorter or longer than announced, and so incomplete (RFC 9112 §8).
    static func checkLength(_ count: Int, _ answer: TransactionResult) throws(TransportError) {
        guard let expected = answer.arriving ?? announcedLength(of: answer), expected != count else { return }
        let subject = answer.arriving == nil ? "content" : "range"
        let sizes = "received \(count) bytes, expected \(expected)"
        throw TransportError(.connectionLost, "The \(subject) is incomplete: \(sizes).")
    }

    /// Returns the length that the head of a response with content gives; `nil` if the framing or the connection ends it.
    private static func announcedLength(of answer: TransactionResult) -> Int? {
        let response = answer.response
        guard answer.request.method != .head, response.status.code != 304, response.status.code != 204,
            !response.headerFields.contains(.transferEncoding)
        else { return nil }
        return answer.contentLength
    }
}
