public import CacheSemantics

/// The failure of a request.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure: `.timedOut`, or `-1001`, Foundation's number for it.
    public var code: Code
    /// The URL of the transaction that failed.
    public var url: String
    /// The failure in the transport; `nil` if the network was not used.
    public var cause: TransportError?
    /// Every rule that was consulted, in order.
    public var findings: [Finding]
    /// The cache's handling of the request before it failed; `nil` if there was none.
    public var cacheStatus: CacheStatus?
    /// A description of the failure, one sentence.
    public let reason: String

    /// Creates an error; `reason` is one sentence.
    public init(
        code: Code,
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
        self.init(
            code: Code(rawValue: cause.code),
            url: url,
            reason: cause.detail,
            cause: cause,
            findings: findings
        )
        self.cacheStatus = cacheStatus
    }

    /// One sentence with URL and code.
    public var description: String { "\(url): \(reason) (\(code.rawValue))" }
}
