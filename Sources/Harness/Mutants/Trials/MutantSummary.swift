import CacheSemantics
package import Scenarios

/// The result of a run of mutants.
package struct MutantSummary: Sendable {
    /// One result for each mutant, in the order of the mutants.
    package let results: [MutantResult]
    /// The number of scenarios that were run against the intact cache, each kind of cache counted.
    package let intactTrials: Int
    /// Failures of the intact cache; there should be none.
    package internal(set) var intactFailures: [String] = []
    /// Real time, in seconds.
    package internal(set) var seconds = 0.0

    init(results: [MutantResult], intactTrials: Int) {
        self.results = results
        self.intactTrials = intactTrials
    }

    /// Mutants that no scenario for their rules killed.
    package var survivors: [MutantResult] { results.filter(\.survives) }

    /// The number of killed mutants.
    package var killed: Int { results.count - survivors.count }

    /// Killed mutants in percent of all, rounded down.
    package var score: Int { results.isEmpty ? 0 : killed * 100 / results.count }

    /// Killed mutants that break a rule which no scenario for it detected, with those rules.
    package var gaps: [MutantResult] { results.filter { !$0.survives && !$0.unnoticed.isEmpty } }

    /// Returns the required rules of RFC 9111 in the catalogue's order, each with the mutants that its scenarios
    /// killed.
    package func coverage(_ catalogue: RuleCatalogue = .standard) -> [RuleKillers] {
        let required = catalogue.rules.filter { rule in
            rule.id.hasPrefix("rfc9111.") && rule.level == .must && rule.pending == nil
        }
        return required.map { rule in
            let noticed = results.filter { result in result.killers.contains { $0.rules.contains(rule.id) } }
            return RuleKillers(rule: rule, mutants: noticed.map(\.mutant.id))
        }
    }

    /// Whether there are no survivors, no failures of the intact cache and no problems of the harness.
    package var isGood: Bool {
        survivors.isEmpty && gaps.isEmpty && intactFailures.isEmpty && results.allSatisfy(\.troubles.isEmpty)
    }
}

/// A rule and the mutants that its scenarios killed.
package struct RuleKillers: Sendable {
    /// The rule that the mutants break.
    package let rule: CatalogueRule
    /// Ids of mutants; empty if no scenario would detect that the rule is broken.
    package let mutants: [String]
}
