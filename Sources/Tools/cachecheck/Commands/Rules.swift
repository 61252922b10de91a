import ArgumentParser
import Conformance
import Scenarios

/// Lists the rules and what checks them.
struct Rules: ParsableCommand {
    /// Where rules come from.
    enum Source: String, ExpressibleByArgument, CaseIterable {
        /// The specifications of the IETF.
        case rfc
        /// The documents about client caches.
        case documents
    }
    static let configuration = CommandConfiguration(
        abstract: "List every rule with its level, its source and what checks it.",
        discussion: """
            A rule of the documents is checked as stated; or, where the document is wrong, as `corrected`; or, where \
            it is unclear or contradicts another, as `resolved`. What the documents only imply is listed apart, and \
            the last line of `--source documents` says how many of all are checked. A rule marked `pending` names the \
            issue that brings it; every other rule has a scenario or a test.
            """
    )

    @Option(help: "Only the rules of this source: rfc or documents.")
    var source: Source?

    @Flag(help: "One JSON object, for programs.")
    var json = false

    @Option(help: "The folder of scenarios.")
    var scenarios = "scenarios"

    func run() throws {
        let library = try loadScenarios([scenarios])
        let tests = CheckedByTests(text: readText(scenarios + "/checked-by-tests.txt") ?? "")
        let coverage = RuleCoverage(try scenarioLanguage().catalogue, suites: library.suites, tests: tests)
        let list = RuleList(
            coverage,
            isIncluded: { rule in
                source.map { ($0 == .rfc) == rule.isSpecification } ?? true
            }
        )
        print(json ? list.json : list.text, terminator: "")
    }
}
