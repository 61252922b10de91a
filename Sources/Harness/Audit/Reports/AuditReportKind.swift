import JSON
import LocatedYAML
import OriginScript
import ReportFormats

/// The report formats of an audit.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AuditReportKind: String, Sendable, Hashable, CaseIterable {
    /// For terminals.
    case text
    /// For programs: one JSON object.
    case json
    /// JUnit's XML.
    case junit
    /// SARIF 2.1.0.
    case sarif
    /// Annotations on GitHub.
    case github
    /// For the summary of a CI step.
    case markdown
    /// For browsers: an overview, and a page for each URL.
    case html

    /// The rows of all formats in order.
    static let table = allCases.map(\.row)

    private var row: ReferenceRow {
        switch self {
        case .text: ReferenceRow(report: rawValue, "For terminals: findings and outcomes by URL")
        case .json:
            ReferenceRow(
                report: rawValue,
                "For programs: one JSON object, as [audit-report.schema.json](audit-report.schema.json) describes",
                file: "build/audit.json"
            )
        case .junit:
            ReferenceRow(
                report: rawValue,
                "JUnit's XML, which CI services read: a test case for each URL",
                file: "build/audit.xml"
            )
        case .sarif:
            ReferenceRow(report: rawValue, "SARIF 2.1.0, for code scanning", file: "build/audit.sarif")
        case .github: ReferenceRow(report: rawValue, "At most ten annotations on GitHub, one for each rule")
        case .markdown:
            ReferenceRow(report: rawValue, "For the summary of a CI step", file: "build/audit.md")
        case .html:
            ReferenceRow(
                report: rawValue,
                "For browsers: an overview, and a page for each URL, in one file or in a folder",
                file: "build/audit/"
            )
        }
    }

    /// The table of docs/audit.md.
    static var reference: [(name: String, markdown: String)] {
        let columns: [(String, ReferenceTable.Column)] = [
            ("`--report`", .name), ("format", .summary), ("example", .example),
        ]
        return [("audit reports", ReferenceTable(table).markdown(columns))]
    }

    /// Returns the text of a report; `source` is the file for which findings without a position are reported.
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
    /// Returns the report in a format; `source` is the file for which findings without a position are reported.
    public func text(as kind: AuditReportKind, source: String = "cachecheck-audit") -> String {
        kind.text(of: self, source: source)
    }

    /// Returns the level of a finding in this report: a warning is an error if the audit is strict.
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
