import CacheSemantics
import ReportFormats
import TextCodings

/// The report for people: each URL with its findings, errors first, then what caches do with it.
struct AuditText {
    let report: AuditReport

    var page: String {
        var lines = report.urls.flatMap(lines)
        if !report.policyFindings.isEmpty {
            lines += ["policy"] + report.policyFindings.flatMap(entry) + [""]
        }
        lines += report.omitted.map { "\($0.count) left out: \($0.reason)" }
        if let totals = report.totalsOfUses {
            lines += report.uses.map { "\($0.url)\n  \($0.line)" } + [totals]
        }
        if report.showsCost { lines += CostTable(report).lines }
        lines += rules
        return (lines + [report.totals]).map { $0.showingControls + "\n" }.joined()
    }

    private func lines(_ result: AuditedURL) -> [String] {
        var lines = [heading(result)]
        if let failure = result.failure { lines.append("  not audited: \(failure)") }
        lines += result.findings.filter(\.counts).flatMap(entry)
        lines += result.findings.filter { !$0.counts }.map { "  ignored: \($0.rule), \($0.ignored ?? "")" }
        lines += result.outcomes.map { "  \($0.cache.name): \($0.line(size: result.size))" }
        if let probes = probes(result) { lines.append("  " + probes) }
        return lines + [""]
    }

    private func heading(_ result: AuditedURL) -> String {
        var parts = [result.url]
        if let exchange = result.exchange { parts.append("\(exchange.status)") }
        let read = result.exchange.flatMap { $0.isCutOff ? $0.receivedBytes : nil }.map(ByteText.text)
        if let size = result.size {
            parts.append(ByteText.text(size))
            if let read { parts.append("of which \(read) were read") }
        } else if let read {
            parts.append("more than \(read), which were read")
        }
        if !result.origin.isEmpty { parts.append("(\(result.origin))") }
        return parts.joined(separator: "  ")
    }

    private func entry(_ finding: AuditFinding) -> [String] {
        let names = finding.rule == finding.section ? finding.rule : "\(finding.rule), \(finding.section)"
        return ["  \(report.level(finding).rawValue): \(finding.message)  [\(names)]"]
            + FindingText.details(finding).map { "      " + $0 }
    }

    private func probes(_ result: AuditedURL) -> String? {
        guard !result.probes.isEmpty || !result.skipped.isEmpty else { return nil }
        let made = counted(result.probes.count, "probe")
        let skipped = result.skippedByReason.map { "\($0.reason): \($0.probes.joined(separator: ", "))" }
        return skipped.isEmpty ? made : "\(made); not made: \(skipped.joined(separator: "; "))"
    }

    /// The number of URLs of each rule, if there are several.
    private var rules: [String] {
        let counts = report.countsByRule
        guard counts.contains(where: { $0.urls.count > 1 }) else { return [] }
        return ["by rule"]
            + counts.map { count in
                "  \(count.level.rawValue): \(count.rule), \(counted(count.urls.count, "URL"))"
            } + [""]
    }
}
