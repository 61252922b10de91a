/// What happens to a request, in the order in which it happens.
public enum FetchEvent: Sendable {
    /// It is in the pool.
    case created(RequestModel)
    /// The application cache was asked.
    case cacheRead(RequestModel, CacheReading)
    /// It is sent, for the first time or again; `attempt` is from 1.
    case started(RequestModel, OutgoingRequest, attempt: Int)
    /// It will be sent again after a while.
    case retrying(RequestModel, after: Duration, attempt: Int)
    /// It has a result.
    case succeeded(RequestModel, FetchResponse)
    /// The application cache has taken the result, or could not.
    case cacheWritten(RequestModel, Result<CacheWriting, FetchError>, FetchResponse)
    /// It has failed.
    case failed(RequestModel, FetchError)
    /// It is over: it has left the pool and its callback, if it has one, has returned.
    case completed(RequestModel)

    /// The request.
    public var request: RequestModel {
        switch self {
        case .created(let model), .cacheRead(let model, _), .started(let model, _, _),
            .retrying(let model, _, _), .succeeded(let model, _), .cacheWritten(let model, _, _),
            .failed(let model, _), .completed(let model):
            model
        }
    }
}

/// Somebody who is told what happens; called on the task that works on the request, so it must not block.
public protocol EventMonitor: Sendable {
    /// Something has happened.
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
