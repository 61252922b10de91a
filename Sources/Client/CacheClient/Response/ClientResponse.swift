public import CacheSemantics
public import HTTPTypes

/// The source of a response.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ResponseSource: String, Sendable, Hashable, CaseIterable {
    /// The origin, with its content, even if the exchange was another request's: `CacheStatus.isCollapsed` is then true.
    case origin
    /// The store, after the origin had validated the response.
    case validated
    /// The memory tier.
    case memory
    /// The disk tier.
    case disk
    /// The client itself, which generated a 504; printed as `none` where raw values are.
    case generated = "none"
}

/// A response with its content, findings, cache status and metrics.
public struct ClientResponse: Sendable {
    /// The request of the last transaction, as the cache saw it.
    public var request: HTTPRequest
    /// The URL of the last transaction, with its fragment.
    public var url: String
    /// Status and header fields; for a response from memory, computed at each access.
    public var response: HTTPResponse {
        switch head {
        case .made(let response): response
        case .stored(let reuse): reuse.response
        }
    }
    /// Content, gzip and deflate decoded.
    public var body: [UInt8]
    /// The source of the response.
    public var source: ResponseSource
    /// Whether it was served although stale.
    public var isStale: Bool
    /// Current age in seconds; `nil` if the response is not from the store.
    package var ageSeconds: Int64?
    /// Current age in whole seconds (RFC 9111 §4.2.3); `nil` if the response is not from the store.
    public var age: Duration? { ageSeconds.map { .seconds($0) } }
    /// Every rule that was consulted for the last transaction, in order.
    public var findings: [Finding] {
        switch decision {
        case .made(let findings, _): findings
        case .unkept(let lookup, _): lookup.planned.findings
        case .late(let settlement, _): settlement.findings
        }
    }
    /// The cache's handling of the request, in the terms of RFC 9211.
    public var cacheStatus: CacheStatus {
        switch decision {
        case .made(_, let status): status
        case .unkept(let lookup, let forwardStatus): CacheStatus(unkept: lookup.planned, forwardStatus)
        case .late(let settlement, let key): settlement.status(key: key, forwardStatus: response.status.code)
        }
    }
    /// The metrics, one element for each transaction, in order.
    public var metrics: [TransactionMetrics] { earlier + [last] }
    /// Redirects followed.
    public var redirects: Int
    /// The reason why the origin could not be reached, if that led to this response.
    public var cause: TransportError?

    /// The source of the head: that of a hit is only composed when it is read.
    enum Head: Sendable {
        case made(HTTPResponse)
        case stored(Reuse)
    }
    let head: Head

    /// The findings of the cache's decisions; for a miss, those about storing are only computed on demand.
    enum Decision: Sendable {
        case made([Finding], CacheStatus)
        /// Only to send the request, whose response with the status is not stored.
        case unkept(PlannedLookup, Int)
        case late(LateSettlement, key: String)
    }
    let decision: Decision
    /// The metrics of all transactions but the last.
    let earlier: [TransactionMetrics]
    let last: TransactionMetrics
}

extension ClientResponse {
    /// Creates the response from the last transaction's answer and its content.
    init(_ answer: TransactionResult, _ body: [UInt8], of load: Load) {
        self.init(
            request: answer.request,
            url: load.transaction.fullURL,
            body: body,
            source: answer.source,
            isStale: answer.isStale,
            ageSeconds: answer.age,
            redirects: load.redirects,
            cause: answer.cause,
            head: .made(answer.response),
            decision: .made(answer.findings, answer.status),
            earlier: load.finished,
            last: answer.metrics
        )
    }

    /// Creates the origin's response unchanged, regardless of its effect on the store.
    init(
        _ forwarded: __shared OriginRequest,
        _ transaction: __shared Transaction,
        _ whole: __shared Exchange.Whole,
        _ decision: Decision
    ) {
        var metrics = TransactionMetrics(url: transaction.url, startedAt: forwarded.started)
        metrics.source = .origin
        metrics.status = whole.status
        metrics.headAt = whole.headAt
        metrics.endedAt = whole.endedAt
        metrics.contentSize = .bytes(whole.content.count)
        metrics.add(whole.start)
        metrics.add(whole.end)
        self.init(
            request: transaction.request,
            url: transaction.fullURL,
            body: whole.content,
            source: .origin,
            isStale: false,
            ageSeconds: nil,
            redirects: 0,
            head: .made(whole.head),
            decision: decision,
            earlier: [],
            last: metrics
        )
    }

    /// Creates a stored response unchanged, whose content is not coded; `nil` if that is in a file.
    init?(
        _ request: PreparedRequest,
        _ planned: PlannedRequest,
        _ reuse: Reuse,
        from located: LocatedEntry,
        at moment: Duration
    ) {
        guard case .bytes(let body) = located.entry.body else { return nil }
        var status = CacheStatus(key: planned.key.targetURI, isHit: true)
        status.ttl = .seconds(reuse.lifetime - reuse.age)
        let source = located.tier == .disk ? ResponseSource.disk : .memory
        var metrics = TransactionMetrics(
            url: request.url,
            source: source,
            status: reuse.stored.statusCode,
            contentSize: .bytes(body.count),
            at: moment
        )
        metrics.version = located.entry.version
        self.init(
            request: request.request,
            url: request.fullURL,
            body: body,
            source: source,
            isStale: reuse.isStale,
            ageSeconds: reuse.age,
            redirects: 0,
            head: .stored(reuse),
            decision: .made(planned.findings, status),
            earlier: [],
            last: metrics
        )
    }
}
