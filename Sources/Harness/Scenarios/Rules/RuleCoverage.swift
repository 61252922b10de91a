/// What checks each rule, and what is missing.
public struct RuleCoverage: Sendable {
    /// A rule and what checks it.
    public struct Entry: Sendable, Hashable {
        /// The rule.
        public var rule: CatalogueRule
        /// Full ids of the scenarios that name it.
        public var scenarios: [String]
        /// Test files that name it.
        public var tests: [String]
    }

    /// In the catalogue's order.
    public let entries: [Entry]
    /// Rules that nothing checks although no issue is to bring them.
    public let unchecked: [String]
    /// Rules that something checks although an issue is still to bring them.
    public let pendingButChecked: [String]
    /// Ids that a check names and the catalogue does not have, each with the check.
    public let unknown: [String]

    /// Joins the catalogue with what the scenarios and the tests name.
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

    /// Whether every rule has what it must have.
    public var isComplete: Bool { unchecked.isEmpty && pendingButChecked.isEmpty && unknown.isEmpty }
}

extension RuleCoverage.Entry {
    /// Whether anything checks the rule.
    public var isChecked: Bool { !scenarios.isEmpty || !tests.isEmpty }
}
