/// The checks of each rule, and the rules without checks.
public struct RuleCoverage: Sendable {
    /// A rule and its checks.
    public struct Entry: Sendable, Hashable {
        /// The rule.
        public var rule: CatalogueRule
        /// Full ids of the scenarios that name it.
        public var scenarios: [String]
        /// Test files that name it.
        public var tests: [String]
    }

    /// The rules in the catalogue's order.
    public let entries: [Entry]
    /// Rules without a check that no issue covers.
    public let unchecked: [String]
    /// Rules with a check although an issue still covers them.
    public let pendingButChecked: [String]
    /// Ids that a check names and the catalogue does not contain, each with the check.
    public let unknown: [String]

    /// Joins the catalogue with the rules that the scenarios and the tests name.
    public init(_ catalogue: RuleCatalogue, suites: [Suite], tests: CheckedByTests) {
        var scenarios: [String: [String]] = [:]
        for scenario in suites.flatMap(\.scenarios) {
            for rule in scenario.rules { scenarios[rule, default: []].append(scenario.id) }
        }
        let entries = catalogue.rules.map { rule in
            Entry(rule: rule, scenarios: scenarios[rule.id] ?? [], tests: tests.files[rule.id] ?? [])
        }
        let named = Set(scenarios.keys).union(tests.files.keys)
        self.entries = entries
        unchecked = entries.filter { $0.rule.pending == nil && !$0.isChecked }.map(\.rule.id)
        pendingButChecked = entries.filter { $0.rule.pending != nil && $0.isChecked }.map(\.rule.id)
        unknown = named.filter { catalogue[$0] == nil }.sorted().map { id in
            let checks = (scenarios[id] ?? []) + (tests.files[id] ?? [])
            return "\(id) in \(checks.joined(separator: ", "))"
        }
    }

    /// Whether no rule lacks a check, no checked rule is pending and no id is unknown.
    public var isComplete: Bool { unchecked.isEmpty && pendingButChecked.isEmpty && unknown.isEmpty }
}

extension RuleCoverage.Entry {
    /// Whether there is a check of the rule.
    public var isChecked: Bool { !scenarios.isEmpty || !tests.isEmpty }
}
