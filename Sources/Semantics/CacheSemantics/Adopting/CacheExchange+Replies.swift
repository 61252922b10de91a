internal import HTTPTypes

extension CacheExchange {
    /// Returns a stored response, or the part of it that is requested; `nil` if its content is not stored.
    func reply(
        _ reuse: Reuse,
        _ head: HTTPResponse,
        from source: CacheReply.Source,
        _ findings: [Finding]
    ) -> CacheReply? {
        guard let content = content(of: reuse) else { return nil }
        return reply(head, content, from: source, findings)
    }

    /// Returns stored bytes and those that arrived, in their order; `nil` if some are missing.
    func reply(_ completion: Completion, _ arrived: [UInt8], isComplete: Bool, _ findings: [Finding])
        -> CacheReply?
    {
        guard let stored = found.content(of: completion.stored) else { return nil }
        var content: [UInt8] = []
        var isWhole = true
        for piece in completion.pieces {
            switch piece {
            case .stored(let range):
                // Nothing follows bytes that are missing.
                guard isWhole else { continue }
                guard let bytes = completion.stored.bytes(range, from: stored) else { return nil }
                content += bytes
            case .arriving(let range):
                content += arrived
                isWhole = isComplete && Int64(arrived.count) == range.count
            }
        }
        return reply(completion.response, content, isComplete: isWhole, from: .origin, findings)
    }

    /// Returns a 504 of the cache itself.
    func generated(findings: [Finding]) -> CacheReply {
        reply(HTTPResponse(status: .gatewayTimeout), [], from: .generated, findings)
    }

    /// Returns a reply to the request.
    func reply(
        _ head: HTTPResponse,
        _ content: [UInt8],
        isComplete: Bool = true,
        from source: CacheReply.Source,
        _ findings: [Finding]
    ) -> CacheReply {
        CacheReply(
            head: head,
            content: planned.request.method == .head ? [] : content,
            isComplete: isComplete,
            source: source,
            forwardReason: source == .stored ? nil : planned.forwardReason,
            findings: findings
        )
    }

    private func content(of reuse: Reuse) -> [UInt8]? {
        if planned.request.method == .head { return [] }
        guard let stored = found.content(of: reuse.stored) else { return nil }
        guard let pieces = reuse.part.pieces(of: reuse.stored) else { return stored }
        var content: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): content += bytes
            case .range(let range):
                guard let bytes = reuse.stored.bytes(range, from: stored) else { return nil }
                content += bytes
            }
        }
        return content
    }
}
