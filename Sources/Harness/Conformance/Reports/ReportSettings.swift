package import Scenarios

/// The settings of reports, besides the events of the run.
public struct ReportSettings: Sendable {
    /// Whether the text report shows findings of passing scenarios, too; default false.
    public var explains = false
    /// Whether the text report leaves out progress, the reasons of skips and the table; default false.
    public var isQuiet = false
    /// Whether the text report has the colours of terminals; default false.
    public var isColored = false
    /// The rules that reports explain; default those of the specifications.
    package var catalogue = RuleCatalogue.standard
    /// The command that shows one scenario in full, with `ID` in the place of its id; default empty, which leaves it out.
    public var rerun = ""
    /// Whether a scenario's file, by its path, is in the user's repository, so that annotations can mark it; default none is.
    public var isOwnFile: @Sendable (String) -> Bool = { _ in false }
    /// The file that annotations mark for other scenarios, such as the workflow that runs them; default `nil`, no file.
    public var otherFile: String?

    /// Creates the default settings.
    public init() {}
}
