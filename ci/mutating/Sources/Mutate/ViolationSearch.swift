import Foundation

/// Tries mutants that the checks of a rule reach, the most specific ones first.
final class ViolationSearch {
    private let table: TrialTable
    private let mutants: [Int: Mutant]
    private let worker: WorkerProcess
    private let tests: RuleTestRunner
    private let testsByRule: [String: [RuleTest]]
    private let trialsByRule: [String: [Int]]

    /// How many mutants are tried for one check, and how many checks for a rule.
    private static let (attempts, checks) = (40, 4)

    init(
        table: TrialTable,
        mutants: [Int: Mutant],
        worker: WorkerProcess,
        tests: RuleTestRunner,
        ruleTests: [RuleTest]
    ) {
        (self.table, self.mutants, self.worker, self.tests) = (table, mutants, worker, tests)
        var testsByRule: [String: [RuleTest]] = [:]
        for test in ruleTests { for rule in test.rules { testsByRule[rule, default: []].append(test) } }
        self.testsByRule = testsByRule.mapValues { $0.sorted { $0.rules.count < $1.rules.count } }
        var trialsByRule: [String: [Int]] = [:]
        for (number, trial) in table.trials.enumerated() {
            for rule in trial.rules { trialsByRule[rule, default: []].append(number) }
        }
        self.trialsByRule = trialsByRule.mapValues {
            $0.sorted {
                (table.trials[$0].rules.count, table.trials[$0].duration)
                    < (table.trials[$1].rules.count, table.trials[$1].duration)
            }
        }
    }

    func violation(of rule: String) throws -> ViolationRecord.Violation? {
        for trial in trialsByRule[rule, default: []].prefix(Self.checks) {
            if let mutant = try mutant(noticedBy: trial) {
                return ViolationRecord.Violation(mutant: mutant.key, check: table.trials[trial].name)
            }
        }
        for test in testsByRule[rule, default: []].prefix(Self.checks) {
            let candidates = candidates(try tests.reached(by: test))
            if let mutant = try candidates.first(where: { try tests.notices($0.id, test) }) {
                return ViolationRecord.Violation(mutant: mutant.key, check: test.name)
            }
        }
        return nil
    }

    private func mutant(noticedBy trial: Int) throws -> Mutant? {
        let limit = 60 + 20 * table.trials[trial].duration
        return try candidates(table.trials[trial].reached).first { mutant in
            guard case .failed = try worker.run(trial, mutant: mutant.id, limit: limit),
                case .passed = try worker.run(trial, mutant: 0, limit: limit),
                case .failed = try worker.run(trial, mutant: mutant.id, limit: limit)
            else { return false }
            return true
        }
    }

    /// The mutants that the fewest scenarios reach; what is removed or negated is noticed soonest.
    private func candidates(_ reached: [Int]) -> [Mutant] {
        let known = reached.compactMap { mutants[$0] }.filter { !$0.isInitial }
        return Array(
            known.sorted {
                (table.breadth(of: $0.id), $0.change.isBlunt ? 0 : 1, $0.id)
                    < (table.breadth(of: $1.id), $1.change.isBlunt ? 0 : 1, $1.id)
            }.prefix(Self.attempts)
        )
    }
}

extension MutationOperator {
    /// Whether it changes what the code does nearly always.
    fileprivate var isBlunt: Bool {
        switch self {
        case .removal, .negation, .equality, .branches, .fallback: true
        case .boundary, .connective, .arithmetic, .constant, .truth, .omission, .choice: false
        }
    }
}

/// Runs single test functions, with mutants and without.
final class RuleTestRunner {
    private let program: String
    private let mutants: Int
    private let coverage: String
    private var reachedByTest: [RuleTest: (mutants: [Int], duration: Double)] = [:]

    /// `mutants` is the largest number of one, `coverage` the file for what a run reaches.
    init(program: String, mutants: Int, coverage: String) {
        (self.program, self.mutants, self.coverage) = (program, mutants, coverage)
    }

    /// Returns the mutants that a test reaches; none if it fails without one.
    func reached(by test: RuleTest) throws -> [Int] {
        if let known = reachedByTest[test] { return known.mutants }
        try Data(count: mutants + 1).write(to: URL(fileURLWithPath: coverage))
        let begin = ContinuousClock.now
        let outcome = try run(test, ["CACHECHECK_MUTANT_COVERAGE": coverage], limit: 300)
        let duration = (ContinuousClock.now - begin) / .seconds(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: coverage))
        let found = outcome == .succeeded ? bytes.indices.filter { bytes[$0] != 0 } : []
        reachedByTest[test] = (found, duration)
        return found
    }

    /// Whether an expectation of the test fails with the mutant; a trap or a hang says nothing of a rule.
    func notices(_ mutant: Int, _ test: RuleTest) throws -> Bool {
        let limit = 30 + 5 * (reachedByTest[test]?.duration ?? 0)
        let outcome = try run(test, ["CACHECHECK_MUTANT": String(mutant)], limit: limit)
        guard case .failed = outcome else { return false }
        return try run(test, [:], limit: limit) == .succeeded
    }

    private func run(_ test: RuleTest, _ environment: [String: String], limit: Double) throws
        -> Execution.Outcome
    {
        try Execution(
            program: program,
            arguments: ["--testing-library", "swift-testing", "--filter", test.filter],
            environment: environment,
            limit: limit
        ).run()
    }
}
