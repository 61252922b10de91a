/// Tries chosen mutants with the checks of their rules.
final class ChosenTrials {
    enum Outcome: Sendable {
        case noticed(ViolationRecord.Violation)
        /// No check failed; how many were run.
        case unnoticed(checks: Int)
        /// The change was not made: there is no such expression or statement, or what it becomes does not compile.
        case noMutant
    }

    private let mutants: [Mutant]
    private let worker: WorkerProcess
    private let tests: RuleTestRunner
    private let ruleTests: [RuleTest]

    /// What a check takes at most without a mutant, in seconds, since it has not been measured.
    private static let duration = 2.0
    /// How many checks of a rule are run.
    private static let checksOfRule = 16

    init(_ mutants: [Mutant], _ worker: WorkerProcess, _ tests: RuleTestRunner, _ ruleTests: [RuleTest]) {
        (self.mutants, self.worker, self.tests, self.ruleTests) = (mutants, worker, tests, ruleTests)
    }

    func outcome(of choice: ChosenMutants.Choice) throws -> Outcome {
        // A written change may be made in several places.
        var seen: Set<Int> = []
        let chosen = mutants.filter { choice.isOf($0) && seen.insert($0.id).inserted }
        guard !chosen.isEmpty else { return .noMutant }
        let checks = try checks(of: choice.rule)
        for check in checks {
            for mutant in chosen where try check.notices(mutant, worker, tests) {
                return .noticed(ViolationRecord.Violation(mutant: mutant.key, check: check.name))
            }
        }
        return .unnoticed(checks: checks.count)
    }

    /// The checks that name the rule: those that name the fewest rules first, tests before scenarios.
    private func checks(of rule: String) throws -> [RuleCheck] {
        let named = ruleTests.filter { $0.rules.contains(rule) }.map { test in
            check(.test(test), test.name, test.rules)
        }
        try worker.start()
        let trials = worker.trials.enumerated().filter { $1.rules.contains(rule) }.map { number, trial in
            check(.trial(number), trial.name, trial.rules)
        }
        let all = named + trials
        let ranked = all.enumerated().sorted { ($0.1.rules.count, $0.0) < ($1.1.rules.count, $1.0) }
        return ranked.map(\.1).prefix(Self.checksOfRule).map { $0 }
    }

    private func check(_ kind: RuleCheck.Kind, _ name: String, _ rules: [String]) -> RuleCheck {
        RuleCheck(kind: kind, name: name, rules: rules, duration: Self.duration, reached: [])
    }
}
