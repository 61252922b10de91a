import CacheSemantics
public import Scenarios

/// What came of a run of mutants.
public struct MutantSummary: Sendable {
    /// One result a mutant, in their order.
    public let results: [MutantResult]
    /// How many scenarios the intact cache was put through, each kind of cache counted.
    public let intactTrials: Int
    /// What the intact cache failed; empty as it should be.
    public internal(set) var intactFailures: [String] = []
    /// Real time, in seconds.
    public internal(set) var seconds = 0.0

    init(results: [MutantResult], intactTrials: Int) {
        self.results = results
        self.intactTrials = intactTrials
    }

    /// Mutants that no scenario about their rules noticed.
    public var survivors: [MutantResult] { results.filter(\.survives) }

    /// How many mutants were noticed.
    public var killed: Int { results.count - survivors.count }

    /// Noticed mutants in percent of all, rounded down.
    public var score: Int { results.isEmpty ? 0 : killed * 100 / results.count }

    /// Mutants that break a rule which no scenario about it noticed, with those rules.
    public var gaps: [MutantResult] { results.filter { !$0.survives && !$0.unnoticed.isEmpty } }

    /// The required rules of RFC 9111 in the catalogue's order, each with the mutants that were noticed through it.
    public func coverage(_ catalogue: RuleCatalogue = .standard) -> [RuleKillers] {
        let required = catalogue.rules.filter { rule in
            rule.id.hasPrefix("rfc9111.") && rule.level == .must && rule.pending == nil
        }
        return required.map { rule in
            let noticed = results.filter { result in result.killers.contains { $0.rules.contains(rule.id) } }
            return RuleKillers(rule: rule, mutants: noticed.map(\.mutant.id))
        }
    }

    /// Whether all is as it should be: no survivor, an intact cache that passes, no trouble of the harness.
    public var isGood: Bool {
        survivors.isEmpty && gaps.isEmpty && intactFailures.isEmpty && results.allSatisfy(\.troubles.isEmpty)
    }
}

/// A rule and the mutants that a scenario about it noticed.
public struct RuleKillers: Sendable {
    /// The rule.
    public let rule: CatalogueRule
    /// Ids of mutants; empty if no scenario would notice that the rule is broken.
    public let mutants: [String]
}
