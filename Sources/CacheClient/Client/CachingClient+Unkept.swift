import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// The origin's response where nothing is kept and all of it has come, and there is nothing to do with it but to hand
    /// it on; `nil` for any other.
    func answerUnkept(_ round: Round, _ hop: Hop) -> ClientResponse? {
        guard store == nil, let whole = round.exchange.whole(), !asksForMore(whole.head) else { return nil }
        return ClientResponse(round, hop, whole, at: clock.elapsed)
    }

    /// Whether it leads elsewhere or is to be decoded.
    private func asksForMore(_ head: HTTPResponse) -> Bool {
        (300..<400).contains(head.status.code) || head.headerFields.contains(.contentEncoding)
    }
}

extension ClientResponse {
    /// The origin's response as it came, of which nothing is kept.
    fileprivate init(_ round: Round, _ hop: Hop, _ whole: Exchange.Whole, at moment: Duration) {
        let planned = round.looked.planned
        var status = CacheStatus(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        status.forwardStatus = whole.head.status.code
        status.isStored = false
        self.init(
            request: hop.request,
            url: hop.fullURL,
            body: whole.content,
            source: .origin,
            isStale: false,
            age: nil,
            findings: planned.findings,
            cacheStatus: status,
            redirects: 0,
            cause: nil,
            head: .made(whole.head),
            earlier: [],
            last: TransactionMetrics(round, hop, whole, at: moment)
        )
    }
}

extension TransactionMetrics {
    /// Those of a hop that ends at `moment`, and whose response is the origin's.
    fileprivate init(_ round: Round, _ hop: Hop, _ whole: Exchange.Whole, at moment: Duration) {
        self.init(url: hop.url, startedAt: round.started)
        source = .origin
        status = whole.head.status.code
        headAt = whole.headAt
        endedAt = moment
        bodyBytes = whole.content.count
        add(whole.end)
    }
}
