package import CacheSemantics
import Conformance
import Scenarios

/// The result of one mutant.
package struct MutantResult: Sendable {
    /// The mutant that is run.
    package let mutant: Mutant
    /// The scenarios that killed it, in the order in which they ran.
    package internal(set) var killers: [Killer] = []
    /// Rules that it breaks and that no scenario for them detected.
    package internal(set) var unnoticed: [String] = []
    /// The number of scenarios that were run against it, each kind of cache counted.
    package internal(set) var trials = 0
    /// Scenarios that the harness could not finish.
    package internal(set) var troubles: [String] = []
    /// Real time, in seconds.
    package internal(set) var seconds = 0.0

    /// Whether no scenario that names a rule it breaks killed it.
    package var survives: Bool { killers.isEmpty }
}

/// A scenario that killed a mutant.
package struct Killer: Sendable, Hashable {
    /// Full id of the scenario.
    package let scenario: String
    /// The kind of cache that it was run with.
    package let kind: CacheKind
    /// The rules of the mutant that the scenario names.
    package let rules: [String]
    /// The first expectation that did not hold.
    package let reason: String
}

/// One scenario with one kind of cache.
struct MutantTrial: Sendable {
    let scenario: Scenario
    let suite: Suite
    let kind: CacheKind

    /// Runs the scenario against a decorated client, and blocks the calling thread.
    ///
    /// Concurrent trials need different labels.
    func run(_ decoration: Decoration, label: String, by executor: MutantExecutor) -> ScenarioResult {
        executor.run(scenario, of: suite, kind, decoration, label: label)
    }

    /// Returns the trials of scenarios that name one of `rules`, ordered by most of these rules, then by fewest others.
    static func about(_ rules: [String], in all: [MutantTrial]) -> [MutantTrial] {
        let wanted = Set(rules)
        let matching = all.enumerated().compactMap { index, trial -> (Int, Int, Int)? in
            let shared = wanted.intersection(trial.scenario.rules).count
            return shared == 0 ? nil : (-shared, trial.scenario.rules.count, index)
        }
        return matching.sorted { $0 < $1 }.map { all[$0.2] }
    }

    /// Returns all trials of these suites, in the order of their files.
    static func all(_ suites: [Suite], kinds: Set<CacheKind>) -> [MutantTrial] {
        suites.flatMap { suite in
            suite.scenarios.flatMap { scenario in
                scenario.cacheKinds.filter { kinds.isEmpty || kinds.contains($0) }.map { kind in
                    MutantTrial(scenario: scenario, suite: suite, kind: kind)
                }
            }
        }
    }
}
