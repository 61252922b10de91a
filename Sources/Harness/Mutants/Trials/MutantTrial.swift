public import CacheSemantics
import Conformance
import Scenarios

/// What came of one mutant.
public struct MutantResult: Sendable {
    /// The mutant.
    public let mutant: Mutant
    /// The scenarios that noticed it, in the order in which they ran.
    public internal(set) var killers: [Killer] = []
    /// Rules that it breaks and that no scenario about them noticed.
    public internal(set) var unnoticed: [String] = []
    /// How many scenarios were run against it, each kind of cache counted.
    public internal(set) var trials = 0
    /// Scenarios that the harness could not finish.
    public internal(set) var troubles: [String] = []
    /// Real time, in seconds.
    public internal(set) var seconds = 0.0

    /// Whether no scenario that names a rule it breaks noticed it.
    public var survives: Bool { killers.isEmpty }
}

/// A scenario that noticed a mutant.
public struct Killer: Sendable, Hashable {
    /// Full id of the scenario.
    public let scenario: String
    /// The kind of cache it was run with.
    public let kind: CacheKind
    /// The rules of the mutant that it names.
    public let rules: [String]
    /// The first expectation that did not hold.
    public let reason: String
}

/// One scenario with one kind of cache.
struct MutantTrial: Sendable {
    let scenario: Scenario
    let suite: Suite
    let kind: CacheKind

    /// The trials of scenarios that name one of `rules`, those first that say most of them and least else.
    static func about(_ rules: [String], in all: [MutantTrial]) -> [MutantTrial] {
        let wanted = Set(rules)
        let matching = all.enumerated().compactMap { place, trial -> (Int, Int, Int)? in
            let shared = wanted.intersection(trial.scenario.rules).count
            return shared == 0 ? nil : (-shared, trial.scenario.rules.count, place)
        }
        return matching.sorted { $0 < $1 }.map { all[$0.2] }
    }

    /// All trials of these suites, in the order of their files.
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
