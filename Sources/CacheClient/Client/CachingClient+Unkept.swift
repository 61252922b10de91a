import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// The origin's response where nothing is kept and all of it has come, and there is nothing to do with it but to hand
    /// it on; `nil` for any other.
    func answerUnkept(_ round: Round, _ hop: Hop) -> ClientResponse? {
        guard store == nil, let whole = round.exchange.whole() else { return nil }
        let status = whole.head.status.code
        // What leads elsewhere or is to be decoded goes the long way.
        guard !(300..<400).contains(status), !whole.head.headerFields.contains(.contentEncoding) else {
            return nil
        }
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
            decision: .made(round.looked.planned.findings, cacheStatus(round, status)),
            earlier: [],
            last: metrics(round, hop, whole, status)
        )
    }

    private func cacheStatus(_ round: Round, _ status: Int) -> CacheStatus {
        var cacheStatus = CacheStatus(
            key: round.looked.planned.key.targetURI,
            forward: round.looked.planned.forwardReason ?? .miss
        )
        cacheStatus.forwardStatus = status
        cacheStatus.isStored = false
        return cacheStatus
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
        metrics.endedAt = clock.elapsed
        metrics.bodyBytes = whole.content.count
        metrics.add(whole.end)
        return metrics
    }
}
