public import Clocks
import CacheClient
import CacheSemantics
public import HTTPTypes

/// Sends a request again that failed in a way that may pass: after a time that doubles, or as the server says.
public struct RetryInterceptor: Interceptor {
    /// How often a request is sent again; default 2.
    public var limit = 2
    /// How long is waited before the first time; default 0.5 s.
    public var firstDelay = Duration.milliseconds(500)
    /// What each wait is longer than the one before; default 2.
    public var factor = 2.0
    /// The longest wait; default 30 s.
    public var longestDelay = Duration.seconds(30)
    /// The longest wait that a server may ask for (`Retry-After`); for more is not waited at all; default 60 s.
    public var longestRetryAfter = Duration.seconds(60)
    /// Status codes that may pass; default 408, 429, 502, 503 and 504.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]
    /// Methods that may be sent twice; default the idempotent ones (RFC 9110 §9.2.2).
    public var methods: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]
    /// What share of each wait is waited, so that not all come back at once; default all of it.
    public var jitter: @Sendable () -> Double = { 1 }
    private let clock: any TimeSource

    /// Creates an interceptor; `clock` is the one by which a server's date is read.
    public init(clock: any TimeSource, _ change: (inout RetryInterceptor) -> Void = { _ in }) {
        self.clock = clock
        change(&self)
    }

    /// Asks for another attempt where there may be one.
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

    /// RFC 9110 §10.2.3: seconds or a date; `nil` where there is none, or no such thing.
    private func retryAfter(_ response: ClientResponse) -> Duration? {
        guard let text = response.response.headerFields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        let now = HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds))
        guard let date = HTTPDate(parsing: text, now: now) else { return nil }
        return .seconds(max(0, Double(date.secondsSinceEpoch) - clock.wallSeconds))
    }
}
