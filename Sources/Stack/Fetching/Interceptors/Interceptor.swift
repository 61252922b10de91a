public import CacheClient
public import HTTPTypes

/// A request as it is about to be sent.
public struct OutgoingRequest: Sendable {
    /// The method, such as GET.
    public var method: HTTPRequest.Method
    /// The complete URL, with the query that parameters add.
    public var url: String
    /// All header fields, except those of the connection.
    public var fields: HTTPFields
    /// The content; `nil` if there is none.
    public var body: RequestBody?
    /// The parameters, including the configuration's defaults.
    public let parameters: Parameters
    /// The request from which it was composed.
    public let request: RequestModel
    /// The number of times the request was sent before.
    public var earlierAttempts = 0
}

/// The outcome of sending a request.
public typealias ReceivedResult = Result<ClientResponse, FetchError>

/// An interceptor of requests before they are sent and of responses after they are received.
public protocol Interceptor: Sendable {
    /// Returns the request to send; if it throws, nothing is sent and the error is the result.
    func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest

    /// Decides how to continue with a result.
    func didReceive(_ result: ReceivedResult, of request: OutgoingRequest) async -> InterceptorDecision
}

/// An interceptor's decision about a result.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum InterceptorDecision: Sendable {
    /// Continues with the result.
    case proceed
    /// Continues with another result.
    case replace(ReceivedResult)
    /// Sends the request again after a delay; the remaining interceptors do not receive this result.
    case retry(after: Duration)
}

extension Interceptor {
    /// Returns the request unchanged.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest { request }

    /// Returns `proceed`.
    public func didReceive(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision { .proceed }
}
