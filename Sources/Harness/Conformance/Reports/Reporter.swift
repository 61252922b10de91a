public import Scenarios

/// Creates a report in one format from the events of a run.
///
/// Pure: the same events give the same text on any machine at any time. The texts that the calls return, joined, are
/// the report.
public protocol Reporter: Sendable {
    /// Returns the text that the event adds to the report; often empty.
    mutating func text(for event: RunEvent) -> String
}

/// The report formats.
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
    /// One self-contained page.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// A page of Markdown, for the summary of a CI step.
    case markdown

    /// Returns a new reporter; `explains` makes the text report show findings of passing scenarios too.
    ///
    /// `catalogue` contains the rules that the report explains. `rerun` is the command that runs one scenario again, with `ID` in
    /// the place of its id; the text report shows it unless it is empty.
    public func reporter(
        explains: Bool = false,
        catalogue: RuleCatalogue = .standard,
        rerun: String = ""
    ) -> any Reporter {
        switch self {
        case .text: TextReporter(explains: explains, catalogue: catalogue, rerun: rerun)
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
