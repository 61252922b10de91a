/// Creates a report in one format from the events of a run.
///
/// Pure: the same events give the same text on any machine at any time. The texts that the calls return, joined, are
/// the report.
public protocol Reporter: Sendable {
    /// Returns the text that the event adds to the report; often empty.
    mutating func text(for event: RunEvent) -> String
}

/// The report formats.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ReportKind: String, Sendable, Hashable, CaseIterable {
    /// Progress, failures and a table by area, for people.
    case text
    /// One JSON object per line.
    case json
    /// The XML that CI services read.
    case junit
    /// Test Anything Protocol, version 14.
    case tap
    /// At most ten workflow commands, which GitHub shows as annotations.
    case github
    /// One self-contained page.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// A page of Markdown, for the summary of a CI step.
    case markdown

    /// Returns a new reporter.
    public func reporter(_ settings: ReportSettings = ReportSettings()) -> any Reporter {
        row.reporter(settings)
    }
}
