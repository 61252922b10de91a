public import CacheSemantics
public import HTTPTypes

/// The requests that an audit may send, and the caches that it reports on.
public struct AuditSettings: Sendable {
    /// The largest number of requests; default 200.
    public var requestLimit = 200
    /// The longest time of the whole audit; default five minutes.
    public var timeLimit = Duration.seconds(300)
    /// Requests a second for each host; `nil` for no limit; default 2.
    public var requestsPerSecond: Double? = 2
    /// Concurrent requests for each host; default 2.
    public var concurrentRequests = 2
    /// The longest time of one request; default 30 s.
    public var requestTimeout = Duration.seconds(30)
    /// The most content that is read of a response; default 8 MiB.
    public var contentLimit = ByteCount.mebibytes(8)
    /// Whether robots.txt decides which URLs are requested; default true.
    public var obeysRobots = true
    /// Whether probes are made, further requests for each URL; default true.
    public var makesProbes = true
    /// The longest chain of redirects that is followed; default 5.
    public var redirectLimit = 5
    /// The most URLs that crawls and sitemaps add; `nil`, the default, for as many as the requests are enough for.
    public var foundURLs: Int?
    /// The longest Retry-After that is waited for; default 10 s.
    public var longestRetryAfter = Duration.seconds(10)
    /// The value of User-Agent.
    public var userAgent = "cachecheck-audit"
    /// The product token that the rules of robots.txt match (RFC 9309 §2.2.1).
    public static let robotName = "cachecheck-audit"
    /// Fields that every request has besides.
    public var fields = HTTPFields()
    /// Targeted fields of a further cache that is reported on, such as CDN-Cache-Control (RFC 9213); default none.
    public var targets: [HTTPField.Name] = []
    /// The most probes of a URL.
    package static var maximumProbes: Int { Probe.all.count }
    /// A word in made-up URLs and field values, which is new for each audit.
    package var token = String(UInt32.random(in: .min ... .max), radix: 36)

    /// The most URLs that crawls and sitemaps add: robots.txt and a made-up page need a request each.
    var foundURLLimit: Int {
        foundURLs ?? max(1, (requestLimit - 2) / (makesProbes ? 1 + Self.maximumProbes : 1))
    }

    /// Creates the default settings.
    public init() {}

    /// The caches to report on.
    package var caches: [AuditedCache] {
        [.browser, .shared] + (targets.isEmpty ? [] : [.targeted(targets)])
    }
}
