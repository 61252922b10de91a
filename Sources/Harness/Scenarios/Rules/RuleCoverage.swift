import CacheSemantics
import LocatedYAML

/// The checks of each rule, and those that are missing.
package struct RuleCoverage: Sendable {
    /// A rule and its checks.
    package struct Entry: Sendable, Hashable {
        /// The rule that is to be checked.
        package var rule: CatalogueRule
        /// Full ids of the scenarios that name it.
        package var scenarios: [String]
        /// Test files that name it.
        package var tests: [String]
        /// A mutant that violates it and that one of its checks kills; `nil` if none is recorded.
        package var violation: RuleViolations.Violation?
    }

    /// The rules in the catalogue's order.
    package let entries: [Entry]
    /// Rules without a check that no issue covers.
    package let unchecked: [String]
    /// Rules with a check although an issue still covers them.
    package let pendingButChecked: [String]
    /// Ids that a check names and the catalogue does not contain, each with the check.
    package let unknown: [String]

    /// Scenarios, with their places, whose level is stricter than that of every rule and sentence that they cite.
    package let overstated: [String]

    /// Joins the catalogue with the rules that the scenarios and the tests name.
    package init(
        _ catalogue: RuleCatalogue,
        suites: [Suite],
        tests: CheckedByTests,
        violations: RuleViolations = RuleViolations()
    ) {
        var scenarios: [String: [String]] = [:]
        for scenario in suites.flatMap(\.scenarios) {
            for rule in scenario.rules { scenarios[rule, default: []].append(scenario.id) }
        }
        let entries = catalogue.rules.map { rule in
            Entry(
                rule: rule,
                scenarios: scenarios[rule.id] ?? [],
                tests: tests.files[rule.id] ?? [],
                violation: violations.byRule[rule.id]
            )
        }
        let named = Set(scenarios.keys).union(tests.files.keys)
        self.entries = entries
        unchecked = entries.filter { $0.rule.pending == nil && !$0.isChecked }.map(\.rule.id)
        pendingButChecked = entries.filter { $0.rule.pending != nil && $0.isChecked }.map(\.rule.id)
        overstated = suites.flatMap(\.scenarios).filter { Self.isOverstated($0, catalogue) }.map {
            "\($0.position): \($0.id), level \($0.level.rawValue)"
        }
        unknown = named.filter { catalogue[$0] == nil }.sorted().map { id in
            let checks = (scenarios[id] ?? []) + (tests.files[id] ?? [])
            return "\(id) in \(checks.joined(separator: ", "))"
        }
    }

    /// Missing or wrong checks, one sentence each; empty if every rule has what it must have.
    package var problems: [String] {
        unchecked.map { "\($0) has neither a scenario nor a test" }
            + pendingButChecked.map { "\($0) is pending and has a check" }
            + unknown.map { "there is no rule \($0)" }
            + overstated.map { "stricter than every rule and sentence that it cites: \($0)" }
    }

    /// Whether no rule lacks a check, no checked rule is pending and no id is unknown.
    package var isComplete: Bool { problems.isEmpty }

    private static func isOverstated(_ scenario: Scenario, _ catalogue: RuleCatalogue) -> Bool {
        let cited = scenario.rules.compactMap { catalogue[$0]?.level } + scenario.grounds.map(\.keyword.level)
        return !cited.contains { $0.strictness >= scenario.level.strictness }
    }
}

extension RuleLevel {
    /// Larger for what is more binding.
    fileprivate var strictness: Int {
        switch self {
        case .must: 3
        case .should: 2
        case .optimal: 1
        case .check: 0
        }
    }
}

extension RuleCoverage.Entry {
    /// Whether a scenario or a test names the rule.
    package var isChecked: Bool { !scenarios.isEmpty || !tests.isEmpty }

    /// Whether a check of the rule is known to fail where the rule is violated.
    package var isProved: Bool { isChecked && violation != nil }
}
