/// An event of a request; the cases are in chronological order.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchEvent: Sendable {
    /// The request was added to the pool.
    case created(RequestModel)
    /// The application cache was consulted.
    case cacheRead(RequestModel, CacheLookup)
    /// The request is sent, for the first time or again; `attempt` counts from 1.
    case started(RequestModel, OutgoingRequest, attempt: Int)
    /// The request will be sent again after a delay.
    case retrying(RequestModel, after: Duration, attempt: Int)
    /// The request succeeded.
    case succeeded(RequestModel, FetchResponse)
    /// The application cache stored the response, or failed to.
    case cacheWritten(RequestModel, Result<CacheWrite, FetchError>, FetchResponse)
    /// The request failed.
    case failed(RequestModel, FetchError)
    /// The request has ended: it has left the pool, and its callback, if any, has returned.
    case completed(RequestModel)

    /// The request of the event.
    public var request: RequestModel {
        switch self {
        case .created(let model), .cacheRead(let model, _), .started(let model, _, _),
            .retrying(let model, _, _), .succeeded(let model, _), .cacheWritten(let model, _, _),
            .failed(let model, _), .completed(let model):
            model
        }
    }
}

/// A monitor of events; called on the task that runs the request, so it must not block.
public protocol EventMonitor: Sendable {
    /// Handles an event.
    func observe(_ event: FetchEvent)
}

/// A monitor that calls a closure.
public struct ClosureMonitor: EventMonitor {
    private let action: @Sendable (FetchEvent) -> Void

    /// Creates a monitor.
    public init(_ action: @escaping @Sendable (FetchEvent) -> Void) { self.action = action }

    /// Calls the closure.
    public func observe(_ event: FetchEvent) { action(event) }
}
