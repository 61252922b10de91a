import JSON
import LocatedYAML

/// The formats of report about an audit.
package enum AuditReportKind: String, Sendable, Hashable, CaseIterable {
    /// Findings and outcomes by URL, for people.
    case text
    /// One JSON object.
    case json
    /// The XML that CI services read: a test case for each URL.
    case junit
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands.
    case github
    /// A page of Markdown, for the summary of a step.
    case markdown
    /// For browsers: an overview, and a page for each URL, in one file or in a folder.
    case html

    /// Returns the report; `source` is the file that findings without a place of their own are reported for.
    package func text(of report: AuditReport, source: String) -> String {
        switch self {
        case .text: AuditText(report: report).page
        case .json: AuditJSON(report: report).document.written(.indented) + "\n"
        case .junit: AuditJUnit(report: report).document
        case .sarif: AuditSARIF(report: report, source: source).document.written() + "\n"
        case .github: AuditGitHub(report: report, source: source).page
        case .markdown: AuditMarkdown(report: report).page
        case .html: AuditHTML(report: report).page
        }
    }

    /// Returns the files of a folder by their names; empty for a format that is one file.
    package func files(of report: AuditReport) -> [(name: String, text: String)] {
        self == .html ? AuditHTML(report: report).files : []
    }
}

extension AuditReport {
    /// The level of a finding in this report: a warning is an error if the audit is strict.
    func level(_ finding: AuditFinding) -> AuditRule.Severity {
        isStrict && finding.severity == .warning ? .error : finding.severity
    }
}

/// The lines about one finding that all reports for people have.
enum FindingText {
    static func details(_ finding: AuditFinding) -> [String] {
        var lines: [String] = []
        if let rule = AuditRule.named(finding.rule), !rule.requirement.isEmpty {
            lines.append("\(rule.section): \"\(rule.requirement)\"")
        }
        if !finding.correction.isEmpty {
            lines.append("correct: " + finding.correction.map(\.text).joined(separator: "; "))
        }
        if let gain = finding.gain { lines.append("effect: " + gain) }
        if let position = finding.position { lines.append("place: \(position)") }
        return lines
    }
}
