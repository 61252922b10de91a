package import HTTPTypes

/// The requests that an audit may send, and the caches that it reports on.
package struct AuditSettings: Sendable {
    /// The largest number of requests; default 200.
    package var requests = 200
    /// The longest time of the whole audit; default five minutes.
    package var total = Duration.seconds(300)
    /// Requests a second for each host; 0 for no limit; default 2.
    package var perSecond = 2.0
    /// Concurrent requests for each host; default 2.
    package var concurrent = 2
    /// The longest time of one request; default 30 s.
    package var requestTime = Duration.seconds(30)
    /// The most bytes of content that are read of a response; default 8 MiB.
    package var contentBytes = 8 << 20
    /// Whether robots.txt decides which URLs are requested; default true.
    package var obeysRobots = true
    /// Whether probes are made; default true.
    package var probes = true
    /// The longest chain of redirects that is followed; default 5.
    package var redirects = 5
    /// The most URLs that crawls and sitemaps add; `nil`, the default, for as many as the requests are enough for.
    package var foundURLs: Int?
    /// The longest Retry-After that is waited for; default 10 s.
    package var patience = Duration.seconds(10)
    /// The value of User-Agent.
    package var userAgent = "cachecheck-audit"
    /// The name by which robots.txt addresses the audit.
    package static let robotName = "cachecheck-audit"
    /// Fields that every request has besides.
    package var fields = HTTPFields()
    /// Targeted fields of a further cache that is reported on; default none.
    package var targets: [HTTPField.Name] = []
    /// A word in made-up URLs and field values, which should be new for each audit.
    package var token = "0"

    /// The most URLs that crawls and sitemaps add: robots.txt and a made-up page need a request each.
    var foundURLLimit: Int {
        foundURLs ?? max(1, (requests - 2) / (probes ? 1 + Probe.all.count : 1))
    }

    /// Creates the default settings.
    package init() {}

    /// The caches to report on.
    package var caches: [AuditedCache] {
        [.browser, .shared] + (targets.isEmpty ? [] : [.targeted(targets)])
    }
}
