import CacheClient
import HTTPTypes

/// Requests sitemaps and what they refer to, until enough URLs are known.
struct SitemapFetcher {
    private let client: AuditClient
    private let redirects: Int
    /// A tree of sitemaps has at most this many files.
    private static let fileLimit = 1000
    /// The URLs that were found, and those that were left out.
    private(set) var scope: CrawlScope
    /// The URLs to audit.
    private(set) var targets: [AuditTarget] = []
    /// Sitemaps that could not be read.
    private(set) var failures: [AuditedURL] = []
    private var seen: Set<String> = []
    /// Whether a sitemap has named a page, audited or not.
    private var namesPages = false

    init(_ settings: AuditSettings, _ client: AuditClient) {
        (self.client, redirects) = (client, settings.redirectLimit)
        scope = CrawlScope(limit: settings.foundURLLimit)
    }

    /// Reads sitemaps; those of their URLs for which `includes` returns true are audited.
    mutating func read(_ urls: [String], including includes: (String) -> Bool) async {
        for url in urls { scope.addHost(of: url) }
        var waiting = urls
        while !waiting.isEmpty, scope.left > 0, seen.count < Self.fileLimit {
            let url = waiting.removeFirst()
            guard seen.insert(url).inserted else { continue }
            switch await sitemap(at: url) {
            case .failure(let failure): fail(url, failure)
            case .success(let sitemap):
                namesPages = namesPages || !sitemap.pages.isEmpty
                waiting += sitemap.sitemaps.filter { scope.isNeeded($0) }
                add(sitemap.pages.filter(includes), of: url)
            }
        }
        if !namesPages, failures.isEmpty { failForLackOfPages(urls) }
    }

    private mutating func failForLackOfPages(_ urls: [String]) {
        for url in urls {
            fail(url, .unreadable("neither the sitemap nor those that it refers to contain a URL"))
        }
    }

    private mutating func fail(_ url: String, _ failure: FetchFailure) {
        var result = AuditedURL(url: url)
        (result.origin, result.failure) = ("sitemap", failure)
        failures.append(result)
    }

    private mutating func add(_ pages: [String], of sitemap: String) {
        let isPrivate = client.isPrivate(client.request(sitemap)?.authority ?? "")
        for page in pages {
            let url = AuditTarget.normalised(page)
            guard seen.insert(url).inserted, scope.admits(url) else { continue }
            targets.append(AuditTarget(url: url, mayBePrivate: isPrivate, finder: "in \(sitemap)"))
        }
    }

    /// Requests one sitemap, and what its redirects lead to.
    private func sitemap(at url: String) async -> Result<Sitemap, FetchFailure> {
        var url = url
        var mayBePrivate = true
        for _ in 0...redirects {
            guard let request = client.request(url) else {
                return .failure(.refused("\(url) is not an absolute http or https URL"))
            }
            let exchange: AuditedExchange
            switch await client.send(request, mayBePrivate: mayBePrivate) {
            case .failure(let failure): return .failure(failure)
            case .success(let answer): exchange = answer
            }
            if (300..<400).contains(exchange.status), let location = exchange.fields[.location],
                let next = try? TargetURL(url).resolve(location)
            {
                mayBePrivate = client.isPrivate(request.authority ?? "")
                url = next.text
                continue
            }
            return Self.sitemap(of: exchange)
        }
        return .failure(.refused("more than \(redirects) redirects"))
    }

    private static func sitemap(of exchange: AuditedExchange) -> Result<Sitemap, FetchFailure> {
        guard exchange.status == 200 else {
            return .failure(.unreadable("the sitemap has status \(exchange.status), expected 200"))
        }
        guard let content = exchange.readableContent else {
            return .failure(.unreadable("the sitemap's content coding is unknown, or it is too large"))
        }
        return Result { () throws(FetchFailure) in try Sitemap(content, isWhole: exchange.hasWholeContent) }
    }
}
