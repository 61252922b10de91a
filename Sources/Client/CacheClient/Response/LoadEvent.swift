public import CacheStorage
public import HTTPTypes

/// An event of a load; events are reported in the order in which they happen.
///
/// From the network: will-send, response, data (repeated), will-cache, finish. From the store: will-send, response,
/// one data, finish. Failing: will-send, whatever arrived, fail. Each redirect adds a will-send, after a will-cache if
/// its response may be stored.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LoadEvent: Sendable {
    /// The request is about to be loaded, from the network or the store.
    case willSend(HTTPRequest, redirectResponse: HTTPResponse?)
    /// The head is known.
    case response(HTTPResponse, ResponseSource)
    /// Content, decoded.
    case data([UInt8])
    /// The response may be stored: this is the proposed entry.
    case willCache(CacheEntry)
    /// Everything is delivered; with the metrics of each transaction.
    case finish([TransactionMetrics])
    /// The load failed, or its stream was cancelled or released before the end.
    case fail(ClientError)

    /// The name in scenarios and reports.
    public var name: String {
        switch self {
        case .willSend: "will-send"
        case .response: "response"
        case .data: "data"
        case .willCache: "will-cache"
        case .finish: "finish"
        case .fail: "fail"
        }
    }
}

/// An observer of a load; called from the task that loads, so it must not block.
public protocol LoadObserver: Sendable {
    /// Called for each event.
    func observe(_ event: LoadEvent)
    /// Called for a 1xx response from the origin, before the final response; on the transport's thread.
    func observe(interim response: HTTPResponse)
}

extension LoadObserver {
    /// Ignores the response.
    public func observe(interim response: HTTPResponse) {}

    /// A function that reports an entry that is about to be stored.
    var proposal: @Sendable (CacheEntry) -> Void { { observe(.willCache($0)) } }
}
