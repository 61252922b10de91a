public import CacheStorage
public import HTTPTypes

/// What happens while a request is loaded, in the order in which it happens.
///
/// From the network: will-send, response, data (repeated), will-cache, finish. From the store: will-send, response,
/// one data, finish. Failing: will-send, whatever came, fail. Each redirect adds a will-send.
public enum LoadEvent: Sendable {
    /// The request is about to be loaded, from wherever.
    case willSend(HTTPRequest, redirectResponse: HTTPResponse?)
    /// The head is known.
    case response(HTTPResponse, ResponseSource)
    /// Content, decoded.
    case data([UInt8])
    /// The response may be stored: this is what is proposed.
    case willCache(CacheEntry)
    /// All is delivered; the metrics of each hop.
    case finish([TransactionMetrics])
    /// The load failed.
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

/// Somebody who watches a load; told from the task that loads, so it must not block.
public protocol LoadObserver: Sendable {
    /// Something has happened.
    func observe(_ event: LoadEvent)
    /// A 1xx response has come from the origin, before the response that follows; told from the transport's thread.
    func observe(interim response: HTTPResponse)
}

extension LoadObserver {
    /// Overlooks it.
    public func observe(interim response: HTTPResponse) {}

    /// Tells that an entry is about to be stored.
    var proposal: @Sendable (CacheEntry) -> Void { { observe(.willCache($0)) } }
}
