import LocatedYAML
import ReportFormats

/// A page of Markdown, such as GitHub shows as the summary of a step: the findings, then all outcomes.
struct AuditMarkdown {
    let report: AuditReport
    /// GitHub takes a summary of 1 MiB.
    private static let longestList = 200

    init(report: AuditReport) { self.report = report }

    var page: String {
        var lines = ["## Cache audit: \(report.totals)", ""]
        let findings = report.findings.sorted { report.level($0) < report.level($1) }
        if !findings.isEmpty { lines += ["| | URL | finding | section |", "|---|---|---|---|"] }
        lines += findings.prefix(Self.longestList).map(row)
        if findings.count > Self.longestList {
            lines += ["", "… and \(findings.count - Self.longestList) more."]
        }
        lines += ["", "| URL | status | browser | shared cache |", "|---|---:|---|---|"]
        lines += report.urls.prefix(Self.longestList).map(row)
        if report.showsCost { lines += ["", "```"] + CostTable(report).lines + ["```"] }
        if let totals = report.totalsOfUses { lines += ["", cell(totals)] + uses }
        return lines.map { $0 + "\n" }.joined()
    }

    private func row(_ finding: AuditFinding) -> String {
        let details = FindingText.details(finding).map { "<br>" + cell($0) }.joined()
        let url = finding.url.isEmpty ? finding.position?.description ?? "" : finding.url
        return
            "| \(report.level(finding).rawValue) | \(cell(url)) | **\(finding.rule)**: \(cell(finding.message))\(details) "
            + "| \(cell(finding.section)) |"
    }

    /// The caches' behaviour, without what the rules require.
    private var uses: [String] {
        let rows = report.uses.filter { $0.verdict != .needed }.prefix(Self.longestList)
        guard !rows.isEmpty else { return [] }
        return ["", "| URL | use |", "|---|---|"] + rows.map { "| \(cell($0.url)) | \(cell($0.line)) |" }
    }

    private func row(_ result: AuditedURL) -> String {
        let status = result.exchange.map { "\($0.status)" } ?? "–"
        let lines = [AuditedCache.browser, .shared].map { cache in
            result.outcomes.first { $0.cache == cache }?.line(size: result.size)
                ?? result.failure?.description ?? ""
        }
        return "| \(cell(result.url)) | \(status) | \(cell(lines[0])) | \(cell(lines[1])) |"
    }

    private func cell(_ text: String) -> String {
        Markup.prose(text).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
