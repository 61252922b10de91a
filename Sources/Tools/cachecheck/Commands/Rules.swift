import ArgumentParser
import Conformance
import Scenarios

/// `cachecheck rules`.
struct Rules: ParsableCommand {
    /// The source of a rule.
    enum Source: String, ExpressibleByArgument, CaseIterable {
        /// The specifications of the IETF.
        case rfc
        /// The documents about client caches.
        case documents
        /// The files of --rules.
        case own

        func includes(_ rule: CatalogueRule) -> Bool {
            switch self {
            case .rfc: rule.isSpecification
            case .documents: rule.verdict != nil
            case .own: rule.isOwn
            }
        }
    }
    static let configuration = CommandConfiguration(
        abstract: "List every rule with its level, its source, and the scenarios and tests that check it.",
        discussion: """
            A rule of the documents is checked as stated, as `corrected` if the document is wrong, or as \
            `resolved` if it is unclear or contradicts another. Rules that the documents only imply are listed separately. \
            Every rule has a scenario or a test, unless it is marked `pending`. The last line of `--source documents` counts \
            a rule as checked only if a change of the source is recorded that violates it and that one of its checks \
            notices (`scenarios/violations.txt`); advice, and what cannot be violated here, is not counted.

            Exit status: 0, 1 with --strict if it finds a problem, 64 usage, 65 a bad file.
            """
    )

    @Option(help: "List only rules from this source: rfc, documents, or own (those of --rules files).")
    var source: Source?

    @Flag(
        help:
            "Exit with status 1 if a rule has no check, or the level of a scenario is stricter than that of every sentence it cites."
    )
    var strict = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: "Folder of scenarios.")
    var scenarios = "scenarios"

    @OptionGroup
    var ruleOptions: RuleOptions

    func run() throws {
        let library = try loadScenarios([scenarios], rules: ruleOptions)
        let tests = CheckedByTests(text: readShippedText(scenarios + "/checked-by-tests.txt") ?? "")
        let coverage = RuleCoverage(
            try ruleOptions.language().catalogue,
            suites: library.suites,
            tests: tests,
            violations: RuleViolations(text: readShippedText(scenarios + "/violations.txt") ?? "")
        )
        let list = RuleList(coverage) { source?.includes($0) ?? true }
        print(json ? list.json : list.text, terminator: "")
        if strict, !coverage.isComplete {
            throw stop(coverage.problems.joined(separator: "\n"), ExitCode(1))
        }
    }
}
