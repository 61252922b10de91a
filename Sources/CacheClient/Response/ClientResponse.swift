public import CacheSemantics
public import HTTPTypes

/// Where a response came from.
public enum ResponseSource: String, Sendable, Hashable, CaseIterable {
    /// The origin, with its content.
    case origin
    /// The store, after the origin had confirmed it.
    case validated
    /// The memory tier.
    case memory
    /// The disk tier.
    case disk
    /// Nowhere: the client made it (504).
    case none
}

/// A response with its content and how it was come by.
public struct ClientResponse: Sendable {
    /// The request of the last hop, as the cache saw it.
    public var request: HTTPRequest
    /// The URL of the last hop, with its fragment.
    public var url: String
    /// Status and header fields; of a response from memory made anew at each access.
    public var response: HTTPResponse {
        switch head {
        case .made(let response): response
        case .stored(let reuse): reuse.response
        }
    }
    /// Content, gzip and deflate decoded.
    public var body: [UInt8]
    /// Where it came from.
    public var source: ResponseSource
    /// Whether it was served although stale.
    public var isStale: Bool
    /// Current age in seconds (RFC 9111 §4.2.3); `nil` for what is not from the store.
    public var age: Int64?
    /// Every rule that was consulted for the last hop, in order.
    public var findings: [Finding]
    /// What the cache did, as RFC 9211 has it.
    public var cacheStatus: CacheStatus
    /// One element a hop, in order.
    public var metrics: [TransactionMetrics] { earlier + [last] }
    /// Redirects followed.
    public var redirects: Int
    /// Why the origin could not be reached, where that led to this response.
    public var cause: TransportError?

    /// Where the head comes from: a hit puts it together only when somebody reads it.
    enum Head: Sendable {
        case made(HTTPResponse)
        case stored(Reuse)
    }
    let head: Head
    /// The metrics of all hops but the last.
    let earlier: [TransactionMetrics]
    let last: TransactionMetrics
}

extension ClientResponse {
    /// The last hop's answer with its content.
    init(_ answer: HopAnswer, _ body: [UInt8], of load: Load) {
        self.init(
            request: answer.request,
            url: load.hop.fullURL,
            body: body,
            source: answer.source,
            isStale: answer.isStale,
            age: answer.age,
            findings: answer.findings,
            cacheStatus: answer.status,
            redirects: load.redirects,
            cause: answer.cause,
            head: .made(answer.response),
            earlier: load.finished,
            last: answer.metrics
        )
    }

    /// A stored response as it is, with `body` not coded.
    init(
        _ request: PreparedRequest,
        _ planned: Planned,
        _ reuse: Reuse,
        _ body: [UInt8],
        from source: ResponseSource,
        at moment: Duration
    ) {
        var status = CacheStatus(key: planned.key.targetURI, isHit: true)
        status.ttl = reuse.lifetime - reuse.age
        self.init(
            request: request.request,
            url: request.fullURL,
            body: body,
            source: source,
            isStale: reuse.isStale,
            age: reuse.age,
            findings: planned.findings,
            cacheStatus: status,
            redirects: 0,
            head: .stored(reuse),
            earlier: [],
            last: TransactionMetrics(
                url: request.url,
                source: source,
                status: reuse.stored.statusCode,
                bodyBytes: body.count,
                at: moment
            )
        )
    }
}
