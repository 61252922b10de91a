public import CacheStorage
public import HTTPTypes

/// An event of a load; events are reported in the order in which they happen.
///
/// From the network: will-send, response, data (repeated), will-cache, finish. From the store: will-send, response,
/// one data, finish. Failing: will-send, the events of what arrived, fail. Each redirect adds a will-send, after a
/// will-cache if its response may be stored.
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

/// An observer of loads; called from the task that loads, so it must not block.
///
/// One that observes a single load implements `observe(_:)`. One that observes all loads of a client, as the observer of a
/// configuration does, implements `observe(_:of:)`, which has the load of each event. One that implements neither observes
/// nothing.
public protocol LoadObserver: Sendable {
    /// Called for each event by the default of `observe(_:of:)`; by default the event is ignored.
    func observe(_ event: LoadEvent)
    /// Called for each event, with the load to which it belongs.
    func observe(_ event: LoadEvent, of load: LoadID)
    /// Called for a 1xx response from the origin, before the final response, by the default of `observe(interim:of:)`; on the
    /// transport's thread. By default the response is ignored.
    func observe(interim response: HTTPResponse)
    /// Called for a 1xx response from the origin to a request of a load, before the final response; on the transport's thread.
    func observe(interim response: HTTPResponse, of load: LoadID)
}

extension LoadObserver {
    /// Ignores the event.
    public func observe(_ event: LoadEvent) {}

    /// Observes the event without its load.
    public func observe(_ event: LoadEvent, of load: LoadID) { observe(event) }

    /// Ignores the response.
    public func observe(interim response: HTTPResponse) {}

    /// Observes the response without its load.
    public func observe(interim response: HTTPResponse, of load: LoadID) { observe(interim: response) }

    /// A function that reports an entry that is about to be stored.
    var proposal: @Sendable (CacheEntry) -> Void { { observe(.willCache($0)) } }
}
