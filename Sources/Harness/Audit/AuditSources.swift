/// The URLs that an audit requests.
package struct AuditSources: Sendable {
    /// URLs that are audited.
    package var urls: [String]
    /// URLs that are audited with what their pages link to and load from the same host.
    package var crawls: [String]
    /// Sitemaps, and indexes of such, whose URLs are audited.
    package var sitemaps: [String]
    /// Which URLs of sitemaps are audited; default all.
    package var includes: @Sendable (String) -> Bool = { _ in true }

    /// Creates sources; default none.
    package init(urls: [String] = [], crawls: [String] = [], sitemaps: [String] = []) {
        (self.urls, self.crawls, self.sitemaps) = (urls, crawls, sitemaps)
    }

    /// Whether there is nothing to request.
    package var isEmpty: Bool { urls.isEmpty && crawls.isEmpty && sitemaps.isEmpty }
}
