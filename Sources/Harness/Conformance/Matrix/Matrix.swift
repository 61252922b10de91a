import CacheSemantics
package import Scenarios

/// Several subjects side by side: scores, differences between any two, disagreements on each rule.
package struct Matrix: Sendable {
    /// A difference between two subjects.
    struct Difference: Sendable, Hashable {
        let first: String
        let second: String
        /// Scenarios that the first subject passes and the second does not.
        let firstOnly: [String]
        /// Scenarios that the second subject passes and the first does not.
        let secondOnly: [String]
    }
    /// A rule that some subjects obey in a scenario that is about it, and others do not.
    struct Disagreement: Sendable, Hashable {
        let rule: String
        /// The rule's sentence and source; empty if the catalogue does not contain it.
        let sentence: String
        let source: String
        /// Names of subjects by the scenario in which they broke the rule.
        let breakers: [(scenario: String, names: [String])]
        /// Names of the subjects that obeyed it in all scenarios in which they were judged.
        let holders: [String]

        static func == (left: Self, right: Self) -> Bool { left.rule == right.rule }

        func hash(into hasher: inout Hasher) { hasher.combine(rule) }
    }
    /// A scenario of level `must` or `should` that some subjects do not pass.
    struct Deviation: Sendable, Hashable {
        let scenario: String
        let level: RuleLevel
        /// The scenario's first rule.
        ///
        /// `source` is the section of the cited sentence or, without one, of the rule.
        let rule: String
        let source: String
        let title: String
        /// Observations, each with the names of the subjects that made it.
        let breakers: [(seen: String, names: [String])]

        static func == (left: Self, right: Self) -> Bool { left.scenario == right.scenario }

        func hash(into hasher: inout Hasher) { hasher.combine(scenario) }
    }
    let entries: [MatrixEntry]
    private let catalogue: RuleCatalogue

    /// Creates the matrix of finished runs.
    package init(_ entries: [MatrixEntry], catalogue: RuleCatalogue = .standard) {
        self.entries = entries
        self.catalogue = catalogue
    }

    /// The subjects that could be run.
    var run: [MatrixEntry] { entries.filter { $0.obstacle == nil } }

    /// Returns the score of a subject in a level.
    func score(of entry: MatrixEntry, _ level: RuleLevel) -> MatrixScore {
        entry.results.filter { $0.level == level }.reduce(into: MatrixScore()) {
            $0.add($1.verdict, hasReuse: entry.hasReuse)
        }
    }

    /// All pairs in the order of the subjects; only scenarios that both were judged in count.
    var differences: [Difference] {
        let verdicts = run.map(Self.judged)
        var differences: [Difference] = []
        for (index, first) in run.enumerated() {
            for other in run.indices.dropFirst(index + 1) {
                let ids = first.results.map(\.id)
                let (mine, theirs) = (verdicts[index], verdicts[other])
                differences.append(
                    Difference(
                        first: first.name,
                        second: run[other].name,
                        firstOnly: ids.filter { mine[$0] == true && theirs[$0] == false },
                        secondOnly: ids.filter { mine[$0] == false && theirs[$0] == true }
                    )
                )
            }
        }
        return differences
    }

    /// Rules on which the subjects disagree, in the order of the scenarios that show the disagreement.
    var disagreements: [Disagreement] {
        let verdicts = run.map { (name: $0.name, judged: Self.judged($0)) }
        var rules: [String] = []
        var scenarios: [String: [String]] = [:]
        for result in run.flatMap(\.results) {
            for rule in rulesDecided(by: result) where scenarios[rule]?.contains(result.id) != true {
                if scenarios[rule] == nil { rules.append(rule) }
                scenarios[rule, default: []].append(result.id)
            }
        }
        return rules.compactMap { disagreement(on: $0, scenarios[$0] ?? [], verdicts) }
    }

    /// Returns the rules that a scenario's verdict is about: those of the sections that it cites, and all of its rules if
    /// it cites none of theirs.
    private func rulesDecided(by result: ScenarioResult) -> [String] {
        let cited = Set(result.grounds.map(\.section))
        let decided = result.rules.filter {
            catalogue[$0]?.citation.map { cited.contains($0.section) } == true
        }
        return decided.isEmpty ? result.rules : decided
    }

    /// Failed scenarios of level `must`, then of level `should`, each in the order of the scenarios.
    var deviations: [Deviation] {
        var order: [String] = []
        var failures: [String: [(name: String, result: ScenarioResult)]] = [:]
        for entry in run {
            for result in entry.results where !result.verdict.mismatches.isEmpty {
                guard result.level == .must || result.level == .should else { continue }
                if failures[result.id] == nil { order.append(result.id) }
                failures[result.id, default: []].append((entry.name, result))
            }
        }
        let all = order.sorted().compactMap { failures[$0].flatMap(deviation) }
        return all.filter { $0.level == .must } + all.filter { $0.level == .should }
    }

    private func deviation(_ failures: [(name: String, result: ScenarioResult)]) -> Deviation? {
        guard let result = failures.first?.result else { return nil }
        return Deviation(
            scenario: result.id,
            level: result.level,
            rule: result.rules.first ?? "",
            source: source(of: result),
            title: result.title,
            breakers: Self.breakers(failures)
        )
    }

    /// Returns the section that a scenario's level rests on: of the sentence that it cites, one with a keyword before a
    /// definition; without any, of the sentence that its first rule of this level quotes.
    private func source(of result: ScenarioResult) -> String {
        let binding = result.grounds.filter { $0.keyword.level == result.level }
        let sentence = binding.first { $0.keyword != .definition } ?? binding.first ?? result.grounds.first
        if let sentence { return sentence.section }
        let rules = result.rules.compactMap { catalogue[$0] }
        let rule = rules.first { $0.level == result.level } ?? rules.first
        return rule?.citation?.section ?? rule?.source ?? ""
    }

    /// Groups the names of subjects by what was seen of them, each in the order of the failures.
    private static func breakers(
        _ failures: [(name: String, result: ScenarioResult)]
    ) -> [(seen: String, names: [String])] {
        var breakers: [(seen: String, names: [String])] = []
        for (name, result) in failures {
            let seen = result.verdict.reason
            if let index = breakers.firstIndex(where: { $0.seen == seen }) {
                if !breakers[index].names.contains(name) { breakers[index].names.append(name) }
            } else {
                breakers.append((seen, [name]))
            }
        }
        return breakers
    }

    private func disagreement(
        on rule: String,
        _ scenarios: [String],
        _ verdicts: [(name: String, judged: [String: Bool])]
    ) -> Disagreement? {
        let breakers = scenarios.compactMap { id -> (scenario: String, names: [String])? in
            let names = verdicts.filter { $0.judged[id] == false }.map(\.name)
            let isHeldByAny = verdicts.contains { $0.judged[id] == true }
            return names.isEmpty || !isHeldByAny ? nil : (id, names)
        }
        if breakers.isEmpty { return nil }
        let holders = verdicts.filter { verdict in
            let judged = scenarios.compactMap { verdict.judged[$0] }
            return !judged.isEmpty && judged.allSatisfy { $0 }
        }
        let known = catalogue[rule]
        return Disagreement(
            rule: rule,
            sentence: known?.sentence ?? "",
            source: known?.source ?? "",
            breakers: breakers,
            holders: holders.map(\.name)
        )
    }

    /// Returns whether each judged scenario passed; one that was run with several kinds of cache must pass with all.
    private static func judged(_ entry: MatrixEntry) -> [String: Bool] {
        entry.results.reduce(into: [:]) { judged, result in
            switch result.verdict {
            case .passed where entry.hasReuse: judged[result.id] = judged[result.id] ?? true
            case .failed: judged[result.id] = false
            default: break
            }
        }
    }
}
