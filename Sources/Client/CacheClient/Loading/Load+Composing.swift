import CacheSemantics
import CacheStorage
import HTTPTypes

extension Load {
    /// Composes content from stored and arriving bytes; `nil` if stored bytes could not be read and the transaction must be
    /// answered without them.
    nonisolated(nonsending) mutating func compose(
        _ segments: [TransactionResult.Segment],
        _ answer: TransactionResult
    ) async throws(ClientError) -> [UInt8]? {
        var coded: [UInt8] = []
        for segment in segments {
            guard let bytes = try await bytes(of: segment, answer) else {
                answer.exchange?.cancel(TransportError(.cancelled, "The stored content cannot be read."))
                return nil
            }
            coded += bytes
        }
        observer?.observe(.response(answer.response, answer.source))
        let body = try decoded(coded, answer)
        if !body.isEmpty { observer?.observe(.data(body)) }
        if answer.exchange == nil { answer.metrics.contentSize = .bytes(coded.count) }
        return body
    }

    nonisolated(nonsending) private mutating func bytes(
        of segment: TransactionResult.Segment,
        _ answer: TransactionResult
    ) async throws(ClientError) -> [UInt8]? {
        switch segment {
        case .bytes(let bytes): return bytes
        case .live(let exchange): return try await arriving(exchange, answer)
        case .stored(let body, let range):
            do throws(StorageError) {
                let bytes = try body.read(from: range.lowerBound, count: range.count)
                guard bytes.count == range.count else {
                    throw StorageError(damaged: "a body", reason: "it ends too early")
                }
                return bytes
            } catch {
                leaveOut(answer, error)
                return nil
            }
        }
    }

    /// Receives the bytes that complete a stored response; they are also stored, as far as they arrive.
    nonisolated(nonsending) private func arriving(
        _ exchange: Exchange,
        _ answer: TransactionResult
    ) async throws(ClientError) -> [UInt8] {
        do throws(TransportError) {
            let bytes = try await exchange.content()
            exchange.add(to: &answer.metrics)
            try Self.checkLength(bytes.count, answer)
            if let pending = answer.pending {
                answer.status.isStored = await client.keep(pending, .bytes(bytes), observer?.proposal)
            }
            return bytes
        } catch {
            if let pending = answer.pending {
                client.keepIncomplete(pending, .bytes(exchange.remains()))
            }
            exchange.cancel(error)
            throw ClientError(error, url: transaction.fullURL, findings: answer.findings)
        }
    }
}
