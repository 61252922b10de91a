public import Clocks
import CacheClient
import CacheSemantics
public import HTTPTypes

/// Retries requests after transient failures, with exponential backoff or after the delay that the server
/// requests.
public struct RetryInterceptor: Interceptor {
    /// The largest number of retries of a request; default 2.
    public var limit = 2
    /// The delay before the first retry; default 0.5 s.
    public var firstDelay = Duration.milliseconds(500)
    /// The factor by which each delay is longer than the previous one; default 2.
    public var factor = 2.0
    /// The longest delay; default 30 s.
    public var longestDelay = Duration.seconds(30)
    /// The longest delay that a server may request (`Retry-After`); with a longer one, there is no retry;
    /// default 60 s.
    public var longestRetryAfter = Duration.seconds(60)
    /// Status codes of transient failures; default 408, 429, 502, 503 and 504.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]
    /// Methods that may be retried; default the idempotent ones (RFC 9110 §9.2.2).
    public var methods: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]
    /// Returns the fraction of each delay to wait, 0 to 1, so that clients do not retry simultaneously;
    /// default 1.
    public var jitter: @Sendable () -> Double = { 1 }
    private let clock: any TimeSource

    /// Creates an interceptor; dates in `Retry-After` are compared with `clock`.
    public init(clock: any TimeSource, _ change: (inout RetryInterceptor) -> Void = { _ in }) {
        self.clock = clock
        change(&self)
    }

    /// Requests a retry if one is allowed.
    public func didReceive(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision {
        guard request.earlierAttempts < limit, methods.contains(request.method) else { return .proceed }
        switch result {
        case .failure(let error):
            return error.isTransient ? .retry(after: delay(request.earlierAttempts)) : .proceed
        case .success(let response):
            guard statuses.contains(response.response.status.code) else { return .proceed }
            guard let wanted = retryAfter(response) else {
                return .retry(after: delay(request.earlierAttempts))
            }
            return wanted <= longestRetryAfter ? .retry(after: wanted) : .proceed
        }
    }

    private func delay(_ earlier: Int) -> Duration {
        var seconds = firstDelay.seconds
        for _ in 0..<earlier { seconds = min(seconds * factor, longestDelay.seconds) }
        return .seconds(min(seconds, longestDelay.seconds) * min(max(jitter(), 0), 1))
    }

    /// Parses seconds or a date (RFC 9110 §10.2.3); `nil` if the field is missing or malformed.
    private func retryAfter(_ response: ClientResponse) -> Duration? {
        guard let text = response.response.headerFields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        let now = HTTPDate(secondsSinceEpoch: clock.timeSinceEpoch.wholeSeconds)
        guard let date = HTTPDate(parsing: text, now: now) else { return nil }
        return .seconds(max(0, Double(date.secondsSinceEpoch) - clock.wallSeconds))
    }
}
