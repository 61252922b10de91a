import ArgumentParser
import Audit
import HTTPTypes
import OriginScript

/// Limits of the requests of an audit.
struct AuditOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Requests per second and host; 0 for no limit.", valueName: "N"))
    var perSecond = 2.0

    @Option(help: ArgumentHelp("Concurrent requests for each host.", valueName: "N"))
    var concurrent = 2

    @Option(help: ArgumentHelp("Maximum number of requests.", valueName: "N"))
    var maxRequests = 200

    @Option(
        name: .customLong("max-urls"),
        help: ArgumentHelp(
            "Maximum number of URLs that --crawl and --sitemap add; by default limited by --max-requests.",
            valueName: "N"
        )
    )
    var maxURLs: Int?

    @Option(
        help: ArgumentHelp("Time limit for the audit. (default: 5m)", valueName: "TIME"),
        transform: positiveDuration
    )
    var maxTime: Duration?

    @Option(
        help: ArgumentHelp("Time limit for one request. (default: 30s)", valueName: "TIME"),
        transform: positiveDuration
    )
    var requestTime: Duration?

    @Flag(help: "Request URLs that robots.txt disallows.")
    var ignoreRobots = false

    @Flag(help: "Send one request for each URL, and no probes.")
    var noProbes = false

    @Option(
        name: [.long, .customShort("H")],
        help: ArgumentHelp("Field line of each request, 'Name: value'. May be repeated.", valueName: "LINE"),
        transform: fieldLine
    )
    var header: [HTTPField] = []

    @Option(
        help: ArgumentHelp(
            "Also report on a cache that obeys this targeted field, such as CDN-Cache-Control (RFC 9213). May be "
                + "repeated, in order of precedence.",
            valueName: "NAME"
        ),
        transform: fieldName
    )
    var target: [HTTPField.Name] = []

    func validate() throws {
        guard perSecond == 0 || (0.001...10_000).contains(perSecond) else {
            throw ValidationError("--per-second: found \(perSecond), expected 0, or 0.001 to 10000")
        }
        let limits = [
            ("--concurrent", concurrent), ("--max-requests", maxRequests), ("--max-urls", maxURLs ?? 1),
        ]
        for (option, number) in limits where !(1...100_000).contains(number) {
            throw ValidationError("\(option): found \(number), expected 1 to 100000")
        }
    }

    /// The settings that these options describe.
    var settings: AuditSettings {
        var settings = AuditSettings()
        settings.requestsPerSecond = perSecond > 0 ? perSecond : nil
        settings.concurrentRequests = concurrent
        settings.requestLimit = maxRequests
        settings.foundURLs = maxURLs
        settings.timeLimit = maxTime ?? settings.timeLimit
        settings.requestTimeout = requestTime ?? settings.requestTimeout
        settings.obeysRobots = !ignoreRobots
        settings.makesProbes = !noProbes
        settings.userAgent = "cachecheck-audit/\(CacheCheck.version)"
        settings.fields = HTTPFields(header)
        settings.targets = target
        return settings
    }
}
