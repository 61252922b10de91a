import CacheClient
public import HTTPTypes

/// Adds fields that are computed from the request as it is sent, such as a signature.
///
/// It receives the URL, parameters and fields after all earlier interceptors, so it should be the last one.
public struct SigningInterceptor: Interceptor {
    private let sign: @Sendable (OutgoingRequest) -> HTTPFields

    /// Creates an interceptor; the fields that `sign` returns replace fields of the same name.
    public init(_ sign: @escaping @Sendable (OutgoingRequest) -> HTTPFields) { self.sign = sign }

    /// Adds the fields.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest {
        var request = request
        request.fields = FetchSession.merged(request.fields, sign(request))
        return request
    }
}

/// Logs each request that is sent and each result that is received.
public struct LoggingInterceptor: Interceptor {
    private let sink: @Sendable (String) -> Void

    /// Creates an interceptor; `sink` receives one line at a time, without a line end.
    public init(_ sink: @escaping @Sendable (String) -> Void) { self.sink = sink }

    /// Logs the method, the URL and the attempt.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest {
        sink("> \(request.method.rawValue) \(request.url) attempt \(request.earlierAttempts + 1)")
        return request
    }

    /// Logs the status and the length, or the error.
    public func didReceive(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision {
        switch result {
        case .success(let response):
            sink("< \(response.response.status.code) \(response.body.count) bytes \(request.url)")
        case .failure(let error): sink("< \(error.reason) \(request.url)")
        }
        return .proceed
    }
}
