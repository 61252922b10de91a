public import CacheClient
public import HTTPTypes

/// A request as it is about to be sent.
public struct OutgoingRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The whole URL, with the query that parameters made.
    public var url: String
    /// Every header field that is sent, but those that belong to the connection.
    public var fields: HTTPFields
    /// The content; `nil` for none.
    public var body: RequestBody?
    /// The parameters, the configuration's defaults with them.
    public let parameters: Parameters
    /// The request it comes from.
    public let request: RequestModel
    /// How often it has been sent before.
    public var earlierAttempts = 0
}

/// What came of sending a request.
public typealias ReceivedResult = Result<ClientResponse, FetchError>

/// Somebody whom requests pass before they are sent, and responses after they have come.
public protocol Interceptor: Sendable {
    /// Returns the request to send; throws to send nothing, which is then the result.
    func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest

    /// Says what becomes of what has come.
    func didReceive(_ result: ReceivedResult, of request: OutgoingRequest) async -> InterceptorDecision
}

/// What an interceptor makes of a result.
public enum InterceptorDecision: Sendable {
    /// It goes on as it is.
    case proceed
    /// This takes its place.
    case replace(ReceivedResult)
    /// The request is sent again after a while; those who have not seen the result do not.
    case retry(after: Duration)
}

extension Interceptor {
    /// The request as it is.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest { request }

    /// Goes on.
    public func didReceive(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision { .proceed }
}
