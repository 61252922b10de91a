/// The description of a figure: its name in reports, its unit and its goal.
struct Measure {
    let name: String
    let unit: String
    let goal: Goal?
    /// The reference of the ratio, or a description of the bound.
    let against: String?

    init(_ name: String, _ unit: String, _ goal: Goal? = nil, against: String? = nil) {
        (self.name, self.unit, self.goal, self.against) = (name, unit, goal, against)
    }

    /// The nanoseconds of one unit; `nil` unless it is one of time.
    var nanoseconds: Double? { ["µs": 1e3, "ms": 1e6, "s": 1e9][unit] }
}

extension Measure {
    // Engine and client
    static let planFresh = Measure("plan-fresh", "µs", .atMost(0.4))
    static let missWork = Measure("miss-work", "µs")
    static let missOverhead = Measure("miss-overhead", "µs", .atMost(3))
    static let missDisk = Measure("miss-disk", "µs")
    static let exchange = Measure("exchange", "µs", .atMost(1.15), against: "C curl-easy loop")
    static let exchangeAnyTask = Measure("exchange-any-task", "µs", .atMost(1.8), against: "C curl-easy loop")
    static let exchange64 = Measure("exchange-64", "req/s", .atLeast(0.8), against: "C curl-multi loop")
    static let memoryHit = Measure("memory-hit", "µs", .atMost(1.5))
    static let memoryHit16 = Measure("memory-hit-16", "M/s", .atLeast(1.5), against: "one thread")

    // Networking stack
    static let imageListFirst = Measure("image-list-first", "ms")
    static let imageListSecond = Measure("image-list-second", "requests", .atMost(0))
    static let imageDiskLookup = Measure("image-disk-lookup", "µs", .atMost(2), against: "100 entries")
    static let imageDiskClean = Measure("image-disk-clean", "s", .atMost(5))

    // Gateway and proxy
    static let gatewayHitMemory = Measure("gateway-hit-memory", "bytes", .atMost(1024))
    static let gatewaySlow = Measure("gateway-slow", "MiB", .atMost(48))
    static let proxyLarge = Measure("proxy-large", "MiB/s", .atLeast(0.7), against: "nginx-pass")
    static let proxyLargeMemory = Measure("proxy-large-memory", "MiB", .atMost(32))

    // Mock server
    static let serveGet = Measure("serve-get", "µs cpu", .atMost(1.25), against: "C libmicrohttpd")
    static let serveGetUnnoted = Measure(
        "serve-get-unnoted",
        "req/s",
        .atLeast(0.95),
        against: "C libmicrohttpd"
    )
    static let serveGetNode = Measure(
        "serve-get-node",
        "req/s",
        .atLeast(1.4),
        against: "Node, the documents' handlers"
    )
    static let serveGetNginx = Measure(
        "serve-get-nginx",
        "µs cpu",
        .atMost(1.15),
        against: "nginx return 200"
    )
    static let servePrepared = Measure("serve-prepared", "µs cpu", .atMost(1.25), against: "C libmicrohttpd")
    static let serveRoutes = Measure("serve-routes", "µs cpu", .atMost(2), against: "10 routes")
    static let serveIdle = Measure("serve-idle", "MiB", .atMost(200))

    // Harness
    static let auditSite = Measure("audit-site", "s", .atMost(3))
    static let auditSiteMemory = Measure("audit-site-memory", "MiB", .atMost(64))
    static let auditArchive = Measure("audit-archive", "s", .atMost(5))
    static let faultSweep = Measure("fault-sweep", "s", .atMost(10))
    static let sameSeed = Measure("same-seed", "logs", .atMost(1))
    static let scenarioRun = Measure("scenario-run", "s", .atMost(3))
}
