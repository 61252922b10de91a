import CacheSemantics
import Explanation
import HTTPTypes

/// A first policy that expects what was observed: a rule for each group of URLs that caches treat alike.
package struct PolicyDraft {
    private let results: [AuditedURL]

    /// Creates the draft of a report's policy.
    package init(_ report: AuditReport) {
        results = report.urls.filter { $0.exchange != nil && !$0.isMadeUp && !$0.isError }
    }

    /// The policy file in YAML.
    package var text: String {
        var lines = ["# What was observed; relax what may change, tighten what may not."]
        if let site { lines.append("site: \(site)") }
        if results.isEmpty { return (lines + ["rules: []"]).map { $0 + "\n" }.joined() }
        lines += ["urls:"] + results.map { "  - \(Self.quoted(path($0)))" } + ["rules:"]
        for rule in rules {
            lines.append("  - match: {\(rule.match)}")
            lines.append("    expect: {\(rule.expectations.joined(separator: ", "))}")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The origin that all URLs have; `nil` if there are several.
    private var site: String? {
        let origins = Set(results.map { origin($0) })
        return origins.count == 1 ? origins.first : nil
    }

    private func origin(_ result: AuditedURL) -> String {
        let request = result.exchange?.request
        return "\(request?.scheme ?? "http")://\(request?.authority ?? "")"
    }

    private func path(_ result: AuditedURL) -> String {
        site == nil ? result.url : result.exchange?.request.path ?? "/"
    }

    private struct Rule {
        var match: String
        var expectations: [String]
        var isAboutQuery: Bool
    }

    /// Rules in the order of the audit, those about single queries first, because the first that matches applies.
    private var rules: [Rule] {
        var found: [Group: Set<[String]>] = [:]
        for result in results {
            for group in Self.groups(of: result) { found[group, default: []].insert(expectations(result)) }
        }
        var rules: [Rule] = []
        var matches: Set<String> = []
        for result in results {
            let rule = rule(for: result, found)
            if !rule.expectations.isEmpty, matches.insert(rule.match).inserted { rules.append(rule) }
        }
        return rules.filter(\.isAboutQuery) + rules.filter { !$0.isAboutQuery }
    }

    /// The properties that several results may share.
    private struct Group: Hashable {
        var host: String
        var status: Int
        var pattern: String
        /// Whether the pattern is about one query, or about none.
        var isWhole: Bool
    }

    /// Returns the groups of a result, the widest first: names that differ in the hash only, all queries of a path, one
    /// query.
    private static func groups(of result: AuditedURL) -> [Group] {
        let target = result.exchange?.request.path ?? "/"
        let path = String(target.prefix { $0 != "?" })
        return [(Fingerprint.pattern(of: path), false), (path, false), (target, true)].map {
            pattern,
            isWhole in
            Group(
                host: host(result),
                status: result.exchange?.status ?? 200,
                pattern: pattern,
                isWhole: isWhole
            )
        }
    }

    /// Returns a rule for the widest group whose results caches treat alike, otherwise for the smallest one, with the
    /// expectations that its results share.
    private func rule(for result: AuditedURL, _ found: [Group: Set<[String]>]) -> Rule {
        let groups = Self.groups(of: result)
        let group = groups.first { found[$0]?.count == 1 } ?? groups[2]
        let others = found[group] ?? []
        let path = Self.quoted(group.pattern)
        return Rule(
            match: (site == nil ? "host: \(Self.quoted(group.host)), " : "")
                + "path: \(path), status: \(group.status)",
            expectations: expectations(result).filter { each in others.allSatisfy { $0.contains(each) } },
            isAboutQuery: group.pattern.contains("?")
        )
    }

    private static func host(_ result: AuditedURL) -> String {
        (result.exchange?.request.authority ?? "").lowercased()
    }

    private func expectations(_ result: AuditedURL) -> [String] {
        var parts = [
            "private: \(lifetime(result.outcome(.browser)))", "shared: \(lifetime(result.outcome(.shared)))",
        ]
        guard let exchange = result.exchange, exchange.status == 200 else { return parts }
        if result.outcome(.browser)?.reload == .nothing { parts.append("immutable: true") }
        let isStrong = exchange.entityTag.map { !$0.isWeak } ?? false
        let hasAny = exchange.entityTag != nil || exchange.lastModified != nil
        parts.append("validator: \(isStrong ? "strong" : hasAny ? "any" : "none")")
        let answer = result.answers["if-none-match"] ?? result.answers["if-modified-since"]
        if answer?.status == 304 { parts.append("conditional: 304") }
        return parts
    }

    private func lifetime(_ outcome: CacheOutcome?) -> String {
        guard let outcome, outcome.isStored else { return "not-stored" }
        if outcome.grantedSeconds == 0 { return "revalidates" }
        return Self.quoted(lasting(outcome).text)
    }

    /// Returns a lifetime that also holds tomorrow: a guess grows with the time since Last-Modified, up to a day, and
    /// Expires may be a fixed date.
    private func lasting(_ outcome: CacheOutcome) -> LifetimeExpectation {
        let seconds = outcome.promisedSeconds
        guard seconds > 0 else { return .atMost(max(outcome.grantedSeconds, 86_400)) }
        guard outcome.explanation.lifetime?.source == .expires, seconds > 1 else { return .atLeast(seconds) }
        let unit: Int64 = [86_400, 3_600, 60].first { $0 <= seconds / 2 } ?? 1
        return .atLeast(seconds / 2 / unit * unit)
    }

    /// Returns a double-quoted scalar of YAML, in which a backslash begins an escape.
    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "%22"))\""
    }
}
