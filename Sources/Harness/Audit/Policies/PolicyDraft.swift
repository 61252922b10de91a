import CacheSemantics
import HTTPTypes

/// A first policy that expects what was observed: a rule for each group of URLs that caches treat alike.
package struct PolicyDraft {
    private let results: [AuditedURL]

    /// Creates the draft of a report's policy.
    package init(_ report: AuditReport) {
        results = report.urls.filter { $0.exchange != nil && !$0.isMadeUp }
    }

    /// The file.
    package var text: String {
        var lines = ["# What was observed; relax what may change, tighten what may not."]
        if let site { lines.append("site: \(site)") }
        if results.isEmpty { return (lines + ["rules: []"]).map { $0 + "\n" }.joined() }
        lines += ["urls:"] + results.map { "  - \(Self.quoted(path($0)))" } + ["rules:"]
        for (pattern, group) in groups {
            guard let first = group.first else { continue }
            lines.append(
                "  - match: {path: \(Self.quoted(pattern)), status: \(first.exchange?.status ?? 200)}"
            )
            lines.append("    expect: {\(expectations(first).joined(separator: ", "))}")
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

    /// Results whose names differ in the hash only and which caches treat alike, by pattern, in the order of the audit.
    private var groups: [(pattern: String, results: [AuditedURL])] {
        var order: [String] = []
        var groups: [String: [AuditedURL]] = [:]
        for result in results {
            let target = result.exchange?.request.path ?? "/"
            let pattern = Fingerprint.pattern(of: String(target.prefix { $0 != "?" }))
            let key = "\(pattern)\n\(result.exchange?.status ?? 0) \(expectations(result))"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(result)
        }
        return order.map { key in (String(key.prefix { $0 != "\n" }), groups[key] ?? []) }
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
        let expected: LifetimeExpectation =
            outcome.promisedSeconds > 0 ? .atLeast(outcome.promisedSeconds) : .atMost(outcome.grantedSeconds)
        return Self.quoted(expected.text)
    }

    /// A double-quoted scalar of YAML, in which a backslash begins an escape.
    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "%22"))\""
    }
}
