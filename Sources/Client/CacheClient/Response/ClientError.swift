public import CacheSemantics

/// Why a request brought no response.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The URL error code that Foundation has for it, such as −1001.
    public var code: Int
    /// The URL of the hop that failed.
    public var url: String
    /// What the transport met; `nil` where the network was not asked.
    public var cause: TransportError?
    /// Every rule that was consulted, in order.
    public var findings: [Finding]
    /// What the cache did with the request before it failed; `nil` where it did nothing.
    public var cacheStatus: CacheStatus?
    private var reason: String

    /// Creates an error; `reason` is one sentence.
    public init(
        code: Int,
        url: String,
        reason: String,
        cause: TransportError? = nil,
        findings: [Finding] = []
    ) {
        self.code = code
        self.url = url
        self.reason = reason
        self.cause = cause
        self.findings = findings
    }

    init(
        _ cause: TransportError,
        url: String,
        findings: [Finding] = [],
        cacheStatus: CacheStatus? = nil
    ) {
        self.init(code: cause.code, url: url, reason: cause.detail, cause: cause, findings: findings)
        self.cacheStatus = cacheStatus
    }

    /// One sentence with URL and code.
    public var description: String { "\(url): \(reason) (\(code))" }
}
