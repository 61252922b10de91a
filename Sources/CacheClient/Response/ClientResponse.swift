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
    /// Status and header fields.
    public var response: HTTPResponse
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
    public var metrics: [TransactionMetrics]
    /// Redirects followed.
    public var redirects: Int
    /// Why the origin could not be reached, where that led to this response.
    public var cause: TransportError?
}
