import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// The origin's response where nothing is kept and all of it has come, and there is nothing to do with it but to hand
    /// it on; `nil` for any other.
    func answerUnkept(_ round: Round, _ hop: Hop) -> ClientResponse? {
        var status = 0
        guard store == nil,
            let whole = round.exchange.takeWhole(where: { head in
                status = head.status.code
                // What leads elsewhere or is to be decoded goes the long way.
                return !(300..<400).contains(status) && !head.headerFields.contains(.contentEncoding)
            })
        else { return nil }
        return ClientResponse(
            request: hop.request,
            url: hop.fullURL,
            body: whole.content,
            source: .origin,
            isStale: false,
            age: nil,
            redirects: 0,
            cause: nil,
            head: .made(whole.head),
            decision: .unkept(round.looked, status),
            earlier: [],
            last: metrics(round, hop, whole, status)
        )
    }

    private func metrics(
        _ round: Round,
        _ hop: Hop,
        _ whole: Exchange.Whole,
        _ status: Int
    ) -> TransactionMetrics {
        var metrics = TransactionMetrics(url: hop.url, startedAt: round.started)
        metrics.source = .origin
        metrics.status = status
        metrics.headAt = whole.headAt
        metrics.endedAt = whole.endedAt
        metrics.bodyBytes = whole.content.count
        metrics.add(whole.end)
        return metrics
    }
}

extension CacheStatus {
    /// Of an answer of the origin's that nothing was to be done with.
    init(unkept planned: Planned, _ forwardStatus: Int) {
        self.init(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        self.forwardStatus = forwardStatus
        isStored = false
    }
}
