/// The mutants to try for each rule, the most specific ones first.
struct ViolationSearch: Sendable {
    private let checks: [String: [RuleCheck]]
    private let mutants: [Int: Mutant]
    private let words: [Int: Set<Substring>]
    /// How many checks reach a mutant.
    private let breadth: [Int: Int]
    /// The keys of mutants that are recorded for another rule; they are tried last.
    var recorded: Set<String> = []

    /// How many checks are tried for a rule, and which of a check's mutants in each round.
    private static let checksOfRule = 4
    static let rounds = [0..<4, 4..<16, 16..<80]

    init(_ checks: [RuleCheck], _ mutants: [Mutant]) {
        let usable = mutants.filter { !$0.isInitial }
        self.mutants = Dictionary(usable.map { ($0.id, $0) }) { first, _ in first }
        words = self.mutants.mapValues { stems(in: "\($0.file) \($0.original) \($0.replacement)") }
        var byRule: [String: [RuleCheck]] = [:]
        var breadth: [Int: Int] = [:]
        for check in checks {
            for rule in check.rules { byRule[rule, default: []].append(check) }
            for mutant in check.reached { breadth[mutant, default: 0] += 1 }
        }
        self.breadth = breadth
        self.checks = byRule.mapValues { checks in
            checks.sorted { ($0.rules.count, $0.duration) < ($1.rules.count, $1.duration) }
        }
    }

    /// Whether a check of the rule has passed without a mutant.
    func hasCheck(of rule: DocumentRule) -> Bool { checks[rule.id] != nil }

    /// Returns the checks to run in a round, each with the mutants to enable.
    func attempts(for rule: DocumentRule, round: Range<Int>) -> [(check: RuleCheck, mutants: [Mutant])] {
        checks[rule.id, default: []].prefix(Self.checksOfRule).map { check in
            (check, Array(candidates(for: rule, check).dropFirst(round.lowerBound).prefix(round.count)))
        }
    }

    /// Mutants of the rule's system that are not recorded yet, that few checks reach, and whose source shares words with the
    /// rule.
    private func candidates(for rule: DocumentRule, _ check: RuleCheck) -> [Mutant] {
        let (folders, wanted) = (rule.folders, rule.words)
        let ranked = check.reached.compactMap { id -> (Mutant, uses: Int, folder: Int, rank: Double)? in
            guard let mutant = mutants[id],
                let folder = folders.firstIndex(where: { mutant.file.hasPrefix($0) })
            else { return nil }
            let shared = words[id, default: []].intersection(wanted).count
            let uses = recorded.contains(mutant.key) ? 1 : 0
            return (mutant, uses, folder, Double(breadth[id, default: 0]) / Double(1 + shared))
        }
        return ranked.sorted {
            ($0.uses, $0.folder, $0.rank, $0.0.change.isBlunt ? 0 : 1, $0.0.id)
                < ($1.uses, $1.folder, $1.rank, $1.0.change.isBlunt ? 0 : 1, $1.0.id)
        }.map(\.0)
    }
}

extension MutationOperator {
    /// Whether it changes what the code does nearly always.
    fileprivate var isBlunt: Bool {
        switch self {
        case .removal, .negation, .equality, .branches, .fallback, .written: true
        case .boundary, .connective, .arithmetic, .constant, .truth, .omission, .choice: false
        }
    }
}

/// Runs a search on one thread, with a worker of its own.
final class ViolationTrials {
    private let search: ViolationSearch
    private let worker: WorkerProcess
    private let tests: RuleTestRunner

    init(_ search: ViolationSearch, _ worker: WorkerProcess, _ tests: RuleTestRunner) {
        (self.search, self.worker, self.tests) = (search, worker, tests)
    }

    func violation(of rule: DocumentRule, round: Range<Int>) throws -> ViolationRecord.Violation? {
        for (check, mutants) in search.attempts(for: rule, round: round) {
            if let mutant = try mutants.first(where: { try check.notices($0, worker, tests) }) {
                return ViolationRecord.Violation(mutant: mutant.key, check: check.name)
            }
        }
        return nil
    }
}
