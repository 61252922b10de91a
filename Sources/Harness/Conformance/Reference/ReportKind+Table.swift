package import OriginScript
import ReportFormats

/// A report format: its description, and how a reporter is created.
struct ReportRow: Sendable {
    /// Name, meaning and example.
    let reference: ReferenceRow
    /// Creates a reporter.
    let reporter: @Sendable (ReportSettings) -> any Reporter

    fileprivate init(
        _ kind: ReportKind,
        _ summary: String,
        file: String? = nil,
        _ reporter: @escaping @Sendable (ReportSettings) -> any Reporter
    ) {
        reference = ReferenceRow(report: kind.rawValue, summary, file: file)
        self.reporter = reporter
    }
}

extension ReportKind {
    /// The rows of all formats in order.
    package static let table = allCases.map(\.row.reference)

    var row: ReportRow {
        switch self {
        case .text:
            ReportRow(self, "For terminals: progress, failures and a table by area") { TextReporter($0) }
        case .json:
            ReportRow(
                self,
                "For programs: one JSON object per line, as [run-report.schema.json](run-report.schema.json) describes",
                file: "build/run.jsonl"
            ) { _ in JSONReporter() }
        case .junit:
            ReportRow(
                self,
                "JUnit's XML, which CI services read; noted results and expected failures count as skipped",
                file: "build/run.xml"
            ) { _ in JUnitReporter() }
        case .tap: ReportRow(self, "Test Anything Protocol, version 14") { _ in TAPReporter() }
        case .github:
            ReportRow(
                self,
                "Annotations on GitHub: one for each group of failures, the largest first, at most ten; at your scenario, "
                    + "or at the workflow that ran it"
            ) { GitHubReporter(settings: $0) }
        case .html:
            ReportRow(
                self,
                "For browsers: the failures in groups, then every exchange with the caller's view, the origin's view and "
                    + "the rules; one file",
                file: "build/run.html"
            ) { HTMLReporter(catalogue: $0.catalogue) }
        case .sarif:
            ReportRow(self, "SARIF 2.1.0, for code scanning", file: "build/run.sarif") {
                SARIFReporter(catalogue: $0.catalogue)
            }
        case .markdown:
            ReportRow(
                self,
                "For the summary of a CI step: the failures in groups, the reasons of skips, a table by area, then each failure",
                file: "build/summary.md"
            ) { MarkdownReporter(settings: $0) }
        }
    }
}
