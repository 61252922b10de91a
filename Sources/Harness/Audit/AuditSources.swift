/// The URLs that an audit requests.
public struct AuditSources: Sendable {
    /// URLs that are audited.
    public var urls: [String]
    /// URLs that are audited with what their pages link to and load from the same host.
    public var crawls: [String]
    /// Sitemaps, and indexes of such, whose URLs are audited.
    public var sitemaps: [String]
    /// Which URLs of sitemaps are audited; default all.
    public var includes: @Sendable (String) -> Bool = { _ in true }

    /// Creates sources; default none.
    public init(urls: [String] = [], crawls: [String] = [], sitemaps: [String] = []) {
        (self.urls, self.crawls, self.sitemaps) = (urls, crawls, sitemaps)
    }

    /// Whether there is nothing to request.
    public var isEmpty: Bool { urls.isEmpty && crawls.isEmpty && sitemaps.isEmpty }
}
