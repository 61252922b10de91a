package import Conformance
package import Scenarios

/// Looks for a mutant that violates each of some rules, so that a scenario for the rule fails.
///
/// Unlike ``MutantRun``, it also tries mutants that do not name the rule with the rules of HTTP caches, if they name another
/// rule of the same scenario.
package struct ViolationRun: Sendable {
    private let mutants: [Mutant]
    private let trials: [MutantTrial]
    private let jobs: Int

    /// The number of scenarios of a rule that are tried with mutants that do not name it.
    private static let scenariosOfRule = 3

    /// The beginnings of the ids of rules that only a cache can violate.
    ///
    /// A defective cache makes checks of a mock server or of a networking stack fail, too, but it does not violate their
    /// rules.
    private static let cacheRules = [
        "customurlcache.", "http.", "principle.cache-identical-results", "urlcache.", "willcache.",
    ]

    /// Creates a run of `mutants` against the scenarios of `suites`, so many rules at a time.
    package init(_ mutants: [Mutant] = Mutant.all, _ suites: [Suite], jobs: Int = 1) {
        (self.mutants, self.jobs) = (mutants, jobs)
        trials = MutantTrial.all(suites, kinds: [])
    }

    /// Returns a violation of each of these rules that has one, by rule id; blocks the calling thread.
    package func run(_ rules: [String]) throws(RunnerError) -> [String: RuleViolations.Violation] {
        let executor = try MutantExecutor()
        defer { executor.close() }
        let found = rules.mapOnThreads(atOnce: jobs) { rule in self.violation(of: rule, executor) }
        let pairs = zip(rules, found).compactMap { rule, violation in violation.map { (rule, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns the best evidence for a violation of a rule: a mutant that names the rule, regardless of the scenario that
    /// kills it; otherwise one that names another rule of a scenario of the rule.
    private func violation(of rule: String, _ executor: MutantExecutor) -> RuleViolations.Violation? {
        let about = MutantTrial.about([rule], in: trials)
        let named = violation(by: mutants.filter { $0.rules.contains(rule) }, about, executor)
        guard named == nil, Self.cacheRules.contains(where: rule.hasPrefix) else { return named }
        for trial in about.prefix(Self.scenariosOfRule) {
            let related = mutants.filter { !Set($0.rules).isDisjoint(with: trial.scenario.rules) }
            if let found = violation(by: related, [trial], executor) { return found }
        }
        return nil
    }

    private func violation(
        by mutants: [Mutant],
        _ trials: [MutantTrial],
        _ executor: MutantExecutor
    ) -> RuleViolations.Violation? {
        for trial in trials {
            for mutant in mutants where fails(trial, mutant, executor) {
                return RuleViolations.Violation(
                    mutant: mutant.id,
                    check: "\(trial.scenario.id) [\(trial.kind.rawValue)]"
                )
            }
        }
        return nil
    }

    private func fails(_ trial: MutantTrial, _ mutant: Mutant, _ executor: MutantExecutor) -> Bool {
        let result = trial.run(mutant.decoration, label: mutant.id, by: executor)
        if case .failed = result.verdict { return true }
        return false
    }
}
