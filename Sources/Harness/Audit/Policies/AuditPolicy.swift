import CacheSemantics
package import HTTPTypes
package import LocatedYAML

/// A site's expectations of caches, from a policy file.
public struct AuditPolicy: Sendable {
    /// The origin of the site, as `https://example.com`; `nil` if rules apply to every host.
    package var site: Located<String>?
    /// Paths or URLs to audit if none are given otherwise.
    package var urls: [Located<String>] = []
    /// The rules; the first that matches a URL applies.
    package var rules: [PolicyRule] = []
    /// Findings that do not count for a time.
    package var ignores: [PolicyIgnore] = []
    /// The place of the whole; `nil` for a policy that was not read.
    package var position: Position?

    /// Returns the rule of a result; `nil` if none matches.
    package func rule(for result: AuditedURL) -> PolicyRule? {
        rules.first { $0.match.matches(result, site: site?.value) }
    }

    /// The methods that its rules are for.
    package var methods: Set<String> { Set(rules.flatMap { $0.match.method ?? [] }).union(["GET"]) }

    /// The URLs to audit if none are given otherwise: those of the file, or the site's root.
    package var targets: [String] {
        if let site, urls.isEmpty { return [site.value + "/"] }
        return urls.map { absolute($0.value) }
    }

    /// Returns the position of the element that names a URL without a rule: its entry, otherwise the site, otherwise the
    /// whole policy.
    func place(of url: String) -> Position? {
        urls.first { absolute($0.value) == url }?.position ?? site?.position ?? position
    }

    private func absolute(_ url: String) -> String { url.hasPrefix("/") ? (site?.value ?? "") + url : url }
}

/// A rule of a policy.
package struct PolicyRule: Sendable {
    /// The name in reports: its `name`, or what it matches.
    package var name: String
    /// The place of the rule.
    package var position: Position
    /// Which results it is for.
    package var match: PolicyMatch
    /// The expectations for results that match.
    package var expectations: [Located<PolicyExpectation>]
    /// The severity of findings.
    package var level: AuditRule.Severity
    /// Fields of further requests, one set for each made-up caller; empty for none.
    package var callers: [HTTPFields]
}

/// Which results a rule is for; every condition that is present must hold.
package struct PolicyMatch: Sendable {
    /// A pattern of the path; of path and query if it has a `?`.
    package var path: PolicyPattern?
    /// A pattern of the host, with or without its port, in lower case; `nil` for that of the site.
    package var host: PolicyPattern?
    /// A pattern of the media type, such as `image/*`, in lower case.
    package var type: PolicyPattern?
    /// Status codes.
    package var status: [Int]?
    /// Methods of requests in archives; `nil` for GET.
    package var method: [String]?

    func matches(_ result: AuditedURL, site: String?) -> Bool {
        guard let exchange = result.exchange else { return false }
        let request = exchange.request
        guard (method ?? ["GET"]).contains(request.method.rawValue), matchesHost(of: request, site: site),
            matchesPath(of: request), type?.matches(exchange.mediaType) ?? true
        else { return false }
        // Rules that name no status are about pages that are found.
        return status.map { $0.contains(exchange.status) } ?? !result.isMadeUp
    }

    private func matchesHost(of request: HTTPRequest, site: String?) -> Bool {
        let authority = (request.authority ?? "").lowercased()
        if let host { return host.matches(authority) || host.matches(Self.withoutPort(authority)) }
        return site.map { $0.lowercased() == "\(request.scheme ?? "")://\(authority)".lowercased() } ?? true
    }

    private func matchesPath(of request: HTTPRequest) -> Bool {
        guard let path else { return true }
        let target = request.path ?? "/"
        return path.matches(path.text.contains("?") ? target[...] : target.prefix { $0 != "?" })
    }

    private static func withoutPort(_ authority: String) -> Substring {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber)
        else {
            return authority[...]
        }
        return authority[..<colon]
    }
}

/// A finding that does not count until a day.
package struct PolicyIgnore: Sendable {
    /// The position of the entry.
    package var position: Position
    /// A pattern of whole URLs.
    package var url: PolicyPattern
    /// The identifier of a rule; `nil` for all.
    package var rule: String?
    /// The end of the last day, in seconds since 1970; `nil` for no end.
    package var until: Int64?
    /// The reason, for reports.
    package var why: String
}
