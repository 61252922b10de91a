import WireSyntax

/// Which of the URLs that pages and sitemaps name are audited: those of the hosts that were asked for, up to a limit.
struct CrawlScope: Sendable {
    /// Hosts with their ports, in lower case.
    private var hosts: Set<String>
    /// The number of further URLs that may be found.
    private(set) var left: Int
    /// URLs that were found and are not audited, each once.
    private var leftOut: Set<String> = []
    private var counts: [String: Int] = [:]

    /// Creates a scope without hosts, which admits nothing.
    init(limit: Int = 0) { (hosts, left) = ([], limit) }

    /// The reason for leaving out what another host serves.
    static let otherHosts = "URLs of other hosts"

    /// Returns the reason for leaving out what robots.txt disallows.
    static func disallowed(_ reason: String) -> String { "URLs found: \(reason)" }

    /// The number of URLs that were left out, by reason.
    var omitted: [(reason: String, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Adds the host of a URL.
    mutating func addHost(of url: String) {
        if let parts = URLParts(url) { hosts.insert(parts.authority.lowercased()) }
    }

    /// Whether a URL is of one of the hosts.
    func contains(_ url: String) -> Bool {
        URLParts(url).map { $0.isHTTP && hosts.contains($0.authority.lowercased()) } ?? false
    }

    /// Whether a further sitemap is to be requested.
    mutating func isNeeded(_ sitemap: String) -> Bool {
        if contains(sitemap) { return true }
        omit("sitemaps of other hosts", sitemap)
        return false
    }

    /// Whether a URL that was found is audited; counts it.
    mutating func admits(_ url: String) -> Bool {
        guard contains(url) else {
            omit(Self.otherHosts, url)
            return false
        }
        guard left > 0 else {
            omit("URLs found beyond the limit (--max-urls)", url)
            return false
        }
        left -= 1
        return true
    }

    /// Counts URLs that are not audited.
    mutating func omit(_ reason: String, count: Int = 1) { counts[reason, default: 0] += count }

    private mutating func omit(_ reason: String, _ url: String) {
        // A huge site may name more URLs than are worth remembering: then some are counted twice.
        if leftOut.count < 100_000, !leftOut.insert(url).inserted { return }
        omit(reason)
    }
}
