import CacheClient
import HTTPTypes
import WireSyntax

/// A URL to request.
struct AuditTarget: Sendable {
    var url: String
    /// The URLs whose redirects led to it, the first one first.
    var chain: [String] = []
    /// Whether any address may be connected to: the user named this host, or one that is private itself.
    var mayBePrivate = true
    /// Whether the links of the page are followed.
    var isCrawled = false
    /// Where its URL was found, `found on URL` or `in URL`; `nil` if the user named it.
    var finder: String?

    /// The target with its URL as it is requested and compared.
    var normalised: AuditTarget {
        var target = self
        target.url = Self.normalised(url)
        return target
    }

    /// Returns a URL without fragment, dot segments and default port, and with its host in lower case (RFC 9110 §4.2.3); what
    /// cannot be requested stays unchanged.
    static func normalised(_ url: String) -> String {
        guard let whole = try? TargetURL(url), let parts = URLParts(whole.text) else { return url }
        var authority = parts.authority.lowercased()
        let usual = parts.scheme == "https" ? ":443" : ":80"
        for port in [usual, ":"] where authority.hasSuffix(port) { authority.removeLast(port.count) }
        return "\(parts.scheme)://\(authority)\(parts.target)"
    }
}

/// Which URLs are requested because of redirects and links, and what is wrong with redirects.
struct RedirectTrail {
    /// The next request.
    private(set) var waiting: [AuditTarget]
    /// The results, in order.
    private(set) var results: [AuditedURL] = []
    /// The scope of links that are followed.
    private(set) var scope: CrawlScope
    private var seen: Set<String>
    /// Where each URL redirects to.
    private var redirects: [String: String] = [:]
    /// Where redirects are not followed to, because the address is not public, with the reason.
    private var refused: [String: String] = [:]
    private let limit: Int

    init(_ targets: [AuditTarget], limit: Int, scope: CrawlScope = CrawlScope()) {
        var seen: Set<String> = []
        waiting = targets.map(\.normalised).filter { seen.insert($0.url).inserted }
        self.seen = seen
        self.limit = limit
        self.scope = scope
    }

    init(_ urls: [String], limit: Int) { self.init(urls.map { AuditTarget(url: $0) }, limit: limit) }

    /// The number of URLs that are known.
    var known: Int { seen.count }

    /// Adds the links of a page as far as the scope allows.
    mutating func add(links: [String], of target: AuditTarget, isPrivate: Bool) {
        for url in links.map(AuditTarget.normalised) where !seen.contains(url) && scope.admits(url) {
            seen.insert(url)
            waiting.append(
                AuditTarget(
                    url: url,
                    mayBePrivate: isPrivate,
                    isCrawled: true,
                    finder: "found on \(target.url)"
                )
            )
        }
    }

    /// Counts links of a page that were not read.
    mutating func omitLinks(_ count: Int) {
        if count > 0 { scope.omit("links of a page beyond its first \(PageLinks.limit)", count: count) }
    }

    /// Returns the targets to be requested next.
    mutating func take() -> [AuditTarget] {
        defer { waiting = [] }
        return waiting
    }

    /// Adds a result, and what its redirect leads to.
    mutating func add(_ result: AuditedURL, of target: AuditTarget, isPrivate: Bool) {
        if case .privateAddress(let detail) = result.failure, !target.chain.isEmpty {
            refused[target.url] = detail
            for source in results.map(\.url) where redirects[source] == target.url {
                noteRefused(target.url, detail, at: source)
            }
            return
        }
        if target.finder != nil, case .disallowed(let reason) = result.failure {
            return scope.omit(CrawlScope.disallowed(reason))
        }
        results.append(result)
        guard let exchange = result.exchange, exchange.isRedirect else { return }
        guard let location = exchange.fields[.location] else {
            return note("broken-redirect", "the \(exchange.status) has no Location", at: target.url)
        }
        guard let next = exchange.redirectTarget else {
            return note(
                "broken-redirect",
                "Location: \(location) is not a URL that can be requested",
                at: target.url
            )
        }
        follow(next, after: target, isPrivate)
    }

    private mutating func follow(_ url: String, after target: AuditTarget, _ isPrivate: Bool) {
        let chain = target.chain + [target.url]
        redirects[target.url] = url
        if leads(from: url, backTo: target.url) {
            note("redirect-loop", "the redirect leads back to \(url)", at: target.url)
        } else if let detail = refused[url] {
            noteRefused(url, detail, at: target.url)
        } else if chain.count > limit {
            note(
                "redirect-chain",
                "there are more than \(limit) redirects; the next is to \(url)",
                at: target.url
            )
        } else if target.finder != nil, !scope.contains(url) {
            if seen.insert(url).inserted { scope.omit(CrawlScope.otherHosts) }
        } else if seen.insert(url).inserted {
            // The host that the first URL leads to is the site's, too: example.com and www.example.com.
            if target.isCrawled { scope.addHost(of: url) }
            waiting.append(
                AuditTarget(
                    url: url,
                    chain: chain,
                    mayBePrivate: isPrivate,
                    isCrawled: target.isCrawled,
                    finder: target.finder
                )
            )
        }
    }

    /// Whether the redirects that are known lead from one URL to another: of a cycle, each URL may have been asked for.
    private func leads(from url: String, backTo start: String) -> Bool {
        var (place, passed) = (url, Set<String>())
        while place != start {
            guard passed.insert(place).inserted, let next = redirects[place] else { return false }
            place = next
        }
        return true
    }

    private mutating func noteRefused(_ url: String, _ detail: String, at source: String) {
        note("redirect-to-private", "the redirect to \(url) is not followed: \(detail)", at: source)
    }

    private mutating func note(_ rule: String, _ message: String, at url: String) {
        guard let index = results.firstIndex(where: { $0.url == url }), let rule = AuditRule.named(rule)
        else { return }
        results[index].findings.append(
            AuditFinding(
                rule: rule.id,
                severity: rule.severity,
                url: url,
                message: message,
                section: rule.section
            )
        )
    }
}

extension AuditedExchange {
    /// Whether clients request another URL instead (RFC 9110 §15.4).
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The URL that a redirect leads to, without fragment; `nil` if there is none that can be requested.
    var redirectTarget: String? {
        guard isRedirect, let location = fields[.location],
            let next = try? TargetURL(url).resolve(location)
        else { return nil }
        return AuditTarget.normalised(next.text)
    }
}
