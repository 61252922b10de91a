public import Scenarios

/// Makes one format of report from the events of a run.
///
/// Pure: the same events give the same text, whatever the machine and the hour. The pieces that the calls return are
/// the report when put together.
public protocol Reporter: Sendable {
    /// Returns what the report gains by the event; often nothing.
    mutating func text(for event: RunEvent) -> String
}

/// The formats of report.
public enum ReportKind: String, Sendable, Hashable, CaseIterable {
    /// Progress, failures and a table by area, for people.
    case text
    /// One JSON object a line.
    case json
    /// The XML that CI services read.
    case junit
    /// Test Anything Protocol, version 14.
    case tap
    /// Workflow commands that mark the line of each failed expectation.
    case github
    /// One page that needs no other file.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// A page of Markdown, for the summary of a step.
    case markdown

    /// Returns a new reporter; `explains` makes the text report show findings of passing scenarios too.
    ///
    /// Rules that are explained in the report are looked up in `catalogue`.
    public func reporter(
        explains: Bool = false,
        catalogue: RuleCatalogue = .standard
    ) -> any Reporter {
        switch self {
        case .text: TextReporter(explains: explains)
        case .json: JSONReporter()
        case .junit: JUnitReporter()
        case .tap: TAPReporter()
        case .github: GitHubReporter()
        case .html: HTMLReporter()
        case .sarif: SARIFReporter(catalogue: catalogue)
        case .markdown: MarkdownReporter()
        }
    }
}
