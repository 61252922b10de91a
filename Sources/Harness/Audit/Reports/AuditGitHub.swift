import Conformance
import LocatedYAML
import TextCodings

/// Workflow commands of GitHub: one annotation for each rule, the gravest first.
///
/// GitHub shows ten annotations a step, so there are no more; the last group counts what is left, which the other reports have.
struct AuditGitHub {
    /// With the notice these are ten.
    private static let mostGroups = 9
    let report: AuditReport
    /// The file of findings that have no place.
    let source: String

    var page: String {
        var shown = (notAudited + groups.map(command))[...]
        if shown.count > Self.mostGroups {
            let left = shown.count - Self.mostGroups + 1
            shown = shown.prefix(Self.mostGroups - 1)
            shown.append(
                "::warning title=and more::\(left) more groups of findings; the other reports have all\n"
            )
        }
        let totals = WorkflowCommand.data(report.totals)
        return shown.joined().showingControls + "::notice title=cachecheck audit::\(totals)\n"
    }

    /// One annotation for all URLs that could not be audited.
    private var notAudited: [String] {
        let failures = report.urls.compactMap { result in result.failure.map { "\(result.url): \($0)" } }
        guard !failures.isEmpty else { return [] }
        return [
            "::error title=not audited::\(WorkflowCommand.data(Self.shortened(failures).joined(separator: "\n")))\n"
        ]
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

    private func command(_ group: [AuditFinding]) -> String {
        guard let first = group.first else { return "" }
        let place = first.place ?? Position(file: source)
        let properties = "file=\(WorkflowCommand.property(place.file)),line=\(place.line),col=\(place.column)"
        let title = AuditRule.named(first.rule)?.title ?? first.rule
        let lines = Self.shortened(group.map { "\($0.url): \($0.message)" }) + FindingText.details(first)
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
