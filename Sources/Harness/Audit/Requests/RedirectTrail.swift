import CacheClient
import HTTPTypes

/// A URL to request.
struct AuditTarget: Sendable {
    var url: String
    /// The URLs whose redirects led to it, the first one first.
    var chain: [String] = []
    /// Whether any address may be connected to: the user has asked for this host, or for one that is private itself.
    var mayBePrivate = true
}

/// Which URLs are requested because of redirects, and what is wrong with those.
struct RedirectTrail {
    /// What is to be requested next.
    private(set) var waiting: [AuditTarget]
    /// The results, in order.
    private(set) var results: [AuditedURL] = []
    private var seen: Set<String>
    private let limit: Int

    init(_ urls: [String], limit: Int) {
        var seen: Set<String> = []
        waiting = urls.filter { seen.insert($0).inserted }.map { AuditTarget(url: $0) }
        self.seen = seen
        self.limit = limit
    }

    /// Returns what is to be requested next.
    mutating func take() -> [AuditTarget] {
        defer { waiting = [] }
        return waiting
    }

    /// Adds a result, and what its redirect leads to.
    mutating func add(_ result: AuditedURL, of target: AuditTarget, isPrivate: Bool) {
        if case .privateAddress(let detail) = result.failure, let source = target.chain.last {
            return note(
                "redirect-to-private",
                "the redirect to \(target.url) is not followed: \(detail)",
                at: source
            )
        }
        results.append(result)
        guard let exchange = result.exchange, [301, 302, 303, 307, 308].contains(exchange.status) else {
            return
        }
        guard let location = exchange.fields[.location] else {
            return note("broken-redirect", "the \(exchange.status) has no Location", at: target.url)
        }
        guard let next = try? TargetURL(target.url).resolve(location) else {
            return note(
                "broken-redirect",
                "Location: \(location) is no URL that can be requested",
                at: target.url
            )
        }
        follow(next.text.prefix { $0 != "#" }, after: target, isPrivate)
    }

    private mutating func follow(_ url: Substring, after target: AuditTarget, _ isPrivate: Bool) {
        let url = String(url)
        let chain = target.chain + [target.url]
        if chain.contains(url) {
            note("redirect-loop", "the redirect leads back to \(url)", at: target.url)
        } else if chain.count > limit {
            note("redirect-chain", "after \(limit) redirects there is another one, to \(url)", at: target.url)
        } else if seen.insert(url).inserted {
            waiting.append(AuditTarget(url: url, chain: chain, mayBePrivate: isPrivate))
        }
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
