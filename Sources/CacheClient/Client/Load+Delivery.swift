import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension Load {
    /// Receives the content, stores what is to be stored; `nil` where stored content could not be read, which is then
    /// removed and counts as a miss.
    nonisolated(nonsending) func deliver(_ answer: HopAnswer) async throws(ClientError)
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
            answer.metrics.bodyBytes = coded.count
        case .live(let exchange):
            observer?.observe(.response(answer.response, answer.source))
            body = try await receive(exchange, answer)
        }
        answer.metrics.endedAt = client.clock.elapsed
        observer?.observe(.finish(finished + [answer.metrics]))
        return ClientResponse(answer, body, of: self)
    }

    /// Stores an answer that nobody reads, such as a redirect.
    nonisolated(nonsending) func keepWithoutDelivering(_ answer: HopAnswer) async {
        guard case .live(let exchange) = answer.content else { return }
        guard let pending = answer.pending else { return exchange.discard() }
        do throws(TransportError) {
            let content = try await exchange.content()
            if !exchange.isLengthChecked { try Self.checkLength(content.count, answer) }
            _ = await client.keep(pending, .bytes(content))
            answer.departure?.flight.land(body: .bytes(content))
        } catch {
            // Nobody waits for this content, and what is not complete is not stored.
        }
    }

    private func readable(_ stored: StoredBody, _ answer: HopAnswer) -> [UInt8]? {
        do throws(StorageError) {
            return try stored.readAll()
        } catch {
            if let stored = answer.stored { client.store?.remove(stored.key, stored.variant) }
            return nil
        }
    }

    private func decoded(_ coded: [UInt8], _ answer: HopAnswer) throws(ClientError) -> [UInt8] {
        do throws(TransportError) {
            return try ContentDecoder.decode(
                coded,
                of: answer.response,
                limit: client.configuration.largestDecodedBody
            )
        } catch {
            throw ClientError(error, url: hop.fullURL, findings: answer.findings)
        }
    }

    /// Receives content from the network: what is decoded is the caller's, what is stored is as it came.
    nonisolated(nonsending) private func receive(_ exchange: Exchange, _ answer: HopAnswer)
        async throws(ClientError) -> [UInt8]
    {
        do throws(TransportError) {
            let (coded, body) =
                observer == nil
                ? try await receiveWhole(exchange, answer) : try await receivePieces(exchange, answer)
            exchange.add(to: &answer.metrics)
            if !exchange.isLengthChecked { try Self.checkLength(coded.count, answer) }
            if let pending = answer.pending {
                answer.status.isStored = await client.keep(pending, .bytes(coded), observer?.proposal)
                answer.departure?.flight.land(body: .bytes(coded))
            }
            return body
        } catch {
            exchange.cancel(error)
            throw ClientError(error, url: hop.fullURL, findings: answer.findings)
        }
    }

    nonisolated(nonsending) private func receiveWhole(
        _ exchange: Exchange,
        _ answer: HopAnswer
    ) async throws(TransportError) -> (coded: [UInt8], body: [UInt8]) {
        let coded = try await exchange.content()
        let limit = client.configuration.largestDecodedBody
        return (coded, try ContentDecoder.decode(coded, of: answer.response, limit: limit))
    }

    nonisolated(nonsending) private func receivePieces(
        _ exchange: Exchange,
        _ answer: HopAnswer
    ) async throws(TransportError) -> (coded: [UInt8], body: [UInt8]) {
        var decoder = ContentDecoder(answer.response, limit: client.configuration.largestDecodedBody)
        var coded: [UInt8] = []
        var body: [UInt8] = []
        while let piece = try await exchange.piece() {
            coded += piece
            let plain = try decoder.decode(piece)
            guard !plain.isEmpty else { continue }
            body += plain
            observer?.observe(.data(plain))
        }
        try decoder.finish()
        return (coded, body)
    }

    /// RFC 9112 §8: content that is shorter or longer than it says is incomplete.
    static func checkLength(_ count: Int, _ answer: HopAnswer) throws(TransportError) {
        let response = answer.response
        guard answer.request.method != .head, response.status.code != 304, response.status.code != 204,
            !response.headerFields.contains(.transferEncoding),
            let length = response.headerFields[.contentLength].flatMap({ Int($0) }), length != count
        else { return }
        throw TransportError(
            .connectionLost,
            "\(count) bytes of content came where \(length) were announced."
        )
    }
}
