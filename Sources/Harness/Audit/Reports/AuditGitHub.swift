import LocatedYAML
import ReportFormats
import TextCodings

/// Workflow commands of GitHub: one annotation for each rule, the gravest first.
///
/// If there are too many, the last group counts what is left, which the other reports have.
struct AuditGitHub {
    let report: AuditReport
    /// The file of findings that have no place.
    let source: String

    var page: String {
        WorkflowCommand.page(
            notAudited + groups.map(command),
            more: { left in
                let message = "\(left) more groups of findings; the other reports have all"
                return WorkflowCommand(.warning, title: "and more", message)
            },
            notice: WorkflowCommand(.notice, title: "cachecheck audit", report.totals)
        ).showingControls
    }

    /// One annotation for all URLs that could not be audited.
    private var notAudited: [WorkflowCommand] {
        let failures = report.urls.compactMap { result in result.failure.map { "\(result.url): \($0)" } }
        guard !failures.isEmpty else { return [] }
        let text = Self.shortened(failures).joined(separator: "\n")
        return [WorkflowCommand(.error, title: "not audited", text)]
    }

    private static func shortened(_ lines: [String]) -> [String] {
        lines.prefix(5) + (lines.count > 5 ? ["and \(lines.count - 5) more"] : [])
    }

    /// The findings of each rule, or of each expectation of the policy, the gravest first.
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

    private func command(_ group: [AuditFinding]) -> WorkflowCommand {
        let first = group[0]
        let lines = Self.shortened(group.map { "\($0.url): \($0.message)" }) + FindingText.details(first)
        return WorkflowCommand(
            level(first),
            title: AuditRule.named(first.rule)?.title ?? first.rule,
            lines.joined(separator: "\n"),
            at: first.place ?? Position(file: source)
        )
    }

    private func level(_ finding: AuditFinding) -> WorkflowCommand.Level {
        switch report.level(finding) {
        case .error: .error
        case .warning: .warning
        case .advice: .notice
        }
    }
}
