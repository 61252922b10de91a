import Conformance
import LocatedYAML

/// Workflow commands of GitHub: one annotation for each rule, because a step shows ten of a level only.
struct AuditGitHub {
    let report: AuditReport
    /// The file of findings that have no place.
    let source: String

    var page: String {
        let failures = report.urls.compactMap { result in
            result.failure.map {
                "::error title=not audited::\(WorkflowCommand.data("\(result.url): \($0)"))\n"
            }
        }
        return groups.map(command).joined() + failures.joined()
            + "::notice title=cachecheck audit::\(WorkflowCommand.data(report.totals))\n"
    }

    /// The findings of each rule and place, the gravest first.
    private var groups: [[AuditFinding]] {
        let sorted = report.findings.sorted { report.level($0) < report.level($1) }
        var order: [String] = []
        var groups: [String: [AuditFinding]] = [:]
        for finding in sorted {
            let key = finding.rule + (finding.position?.description ?? "")
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(finding)
        }
        return order.compactMap { groups[$0] }
    }

    private func command(_ group: [AuditFinding]) -> String {
        guard let first = group.first else { return "" }
        let place = first.position ?? Position(file: source, line: 1, column: 1)
        let properties = "file=\(WorkflowCommand.property(place.file)),line=\(place.line),col=\(place.column)"
        let title = AuditRule.named(first.rule)?.title ?? first.rule
        var lines = group.prefix(5).map { "\($0.url): \($0.message)" }
        if group.count > 5 { lines.append("and \(group.count - 5) more") }
        lines += FindingText.details(first)
        let text = WorkflowCommand.data(lines.joined(separator: "\n"))
        return "::\(level(first)) \(properties),title=\(WorkflowCommand.property(title))::\(text)\n"
    }

    private func level(_ finding: AuditFinding) -> String {
        switch report.level(finding) {
        case .error: "error"
        case .warning: "warning"
        case .advice: "notice"
        }
    }
}
