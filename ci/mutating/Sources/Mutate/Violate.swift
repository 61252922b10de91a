import ArgumentParser
import Foundation

/// Looks for a mutant that violates each rule of the documents, so that a check of the rule fails.
struct Violate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find a mutant for each rule of the documents that a check of the rule notices."
    )

    @Option(help: "The mutants, as `instrument` has written them.") var list: String
    @Option(help: "The program that runs scenarios with mutants.") var worker: String
    @Option(help: "The tests with the mutants.") var tests: String
    @Option(help: "The folder of the tests' sources.") var testSources: String
    @Option(help: "The folder of scenarios.") var scenarios: String
    @Option(help: "The file of rules.") var rules: String
    @Option(help: "The record, which is kept and completed.") var record: String
    @Option(help: "The file of chosen mutants, which replace recorded ones.") var chosen: String
    @Flag(help: "Try the chosen mutants only.") var chosenOnly = false
    @Option(help: "How many processes at once.") var jobs: Int
    @Option(help: "The folder of intermediate files.") var scratch: String

    func run() throws {
        let mutants = try JSONDecoder().decode(
            [Mutant].self,
            from: Data(contentsOf: URL(fileURLWithPath: list))
        )
        let all = DocumentRule.all(in: try String(contentsOfFile: rules, encoding: .utf8))
        var found = try ViolationRecord(contentsOf: record)
        found.keep(all.map(\.id))
        let runner = RuleTestRunner(program: tests, mutants: mutants.map(\.id).max() ?? 0, scratch: scratch)
        try tryChosen(mutants, runner, Set(all.map(\.id)), &found)
        if !chosenOnly { try search(mutants, runner, all, &found) }
        tell("\(found.violations.count) of \(all.count) rules have a mutant that a check of the rule notices")
    }

    /// Tries the chosen mutants that are not recorded yet.
    private func tryChosen(
        _ mutants: [Mutant],
        _ runner: RuleTestRunner,
        _ rules: Set<String>,
        _ found: inout ViolationRecord
    ) throws {
        let choices = try ChosenMutants(contentsOf: chosen).choices
        for choice in choices where !rules.contains(choice.rule) { tell("no rule: \(choice.rule)") }
        let open = choices.filter { choice in
            guard let recorded = found.violations[choice.rule]?.mutant else {
                return rules.contains(choice.rule)
            }
            return !mutants.contains { choice.isOf($0) && $0.key == recorded }
        }
        let ruleTests = try RuleTest.all(below: testSources)
        let (worker, scenarios) = (worker, scenarios)
        let queue = ParallelQueue<ChosenMutants.Choice, ChosenTrials.Outcome>(open)
        try queue.run(jobs: jobs) {
            let process = WorkerProcess(program: worker, scenarios: scenarios)
            let trials = ChosenTrials(mutants, process, runner, ruleTests)
            return { try trials.outcome(of: $0) }
        } note: { choice, outcome in
            switch outcome {
            case .noticed(let violation):
                found.violations[choice.rule] = violation
                try found.write(to: record)
                tell("\(choice.rule): \(violation.check) notices \(choice.mutant)")
            case .unnoticed(let checks):
                tell("NOT NOTICED by \(checks) checks of \(choice.rule): \(choice.mutant)")
            case .noMutant:
                tell("NO MUTANT for \(choice.rule): \(choice.mutant)")
            }
        }
    }

    /// Searches for a mutant of each rule that has none.
    private func search(
        _ mutants: [Mutant],
        _ runner: RuleTestRunner,
        _ all: [DocumentRule],
        _ found: inout ViolationRecord
    ) throws {
        var missing = all.filter { found.violations[$0.id] == nil }
        var search = ViolationSearch(try checks(of: Set(all.map(\.id)), runner), mutants)
        for rule in missing where !search.hasCheck(of: rule) { tell("\(rule.id): no check of it runs here") }
        let (worker, scenarios) = (worker, scenarios)
        for round in ViolationSearch.rounds {
            search.recorded = Set(found.violations.values.map(\.mutant))
            let queue = ParallelQueue<DocumentRule, ViolationRecord.Violation?>(missing)
            try queue.run(jobs: jobs) { [search] in
                let process = WorkerProcess(program: worker, scenarios: scenarios)
                let trials = ViolationTrials(search, process, runner)
                return { try trials.violation(of: $0, round: round) }
            } note: { rule, violation in
                guard let violation else { return }
                found.violations[rule.id] = violation
                try found.write(to: record)
                tell("\(found.violations.count)/\(all.count) \(rule.id): \(violation.mutant)")
            }
            missing.removeAll { found.violations[$0.id] != nil }
        }
        for rule in missing { tell("none found: \(rule.id)") }
    }

    /// Runs the scenarios and the tests that name these rules without a mutant, and returns those that pass.
    private func checks(of rules: Set<String>, _ runner: RuleTestRunner) throws -> [RuleCheck] {
        let last = runner.mutants
        let coverage = "\(scratch)/coverage-rules"
        try Data(count: last + 1).write(to: URL(fileURLWithPath: coverage))
        let covering = WorkerProcess(
            program: worker,
            scenarios: scenarios,
            environment: ["CACHECHECK_MUTANT_COVERAGE": coverage]
        )
        let table = try TrialTable(measuring: covering, mutants: last, rules: rules)
        covering.stop()
        var checks = RuleCheck.all(in: table)
        tell("\(checks.count) trials of scenarios")
        for name in table.failing { tell("not used, since it fails without a mutant: \(name)") }
        let ruleTests = try RuleTest.all(below: testSources).filter { !rules.isDisjoint(with: $0.rules) }
        let queue = ParallelQueue<RuleTest, RuleCheck?>(ruleTests)
        try queue.run(jobs: jobs) {
            { try runner.check($0) }
        } note: { test, check in
            if let check {
                checks.append(check)
            } else {
                tell("not used, since it does not pass: \(test.name)")
            }
        }
        tell("\(checks.count) trials and tests")
        return checks
    }

    private func tell(_ text: String) {
        print(text)
        fflush(nil)
    }
}

/// The mutants that violate rules, and the checks that noticed them, as they are kept in a file.
struct ViolationRecord {
    struct Violation: Equatable, Sendable {
        let mutant: String
        let check: String
    }

    private static let head = """
        # For each rule of the documents a mutant that violates it, and the check that fails with it.
        # Written by cachecheck mutants --violations and ci/mutate --rules.

        """
    var violations: [String: Violation] = [:]

    init(contentsOf path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 3 else {
                throw MutationError.malformed("\(path): expected a rule, a mutant and a check: \(line)")
            }
            violations[parts[0]] = Violation(mutant: parts[1], check: parts[2])
        }
    }

    /// Forgets rules that there are no longer.
    mutating func keep(_ ids: [String]) {
        let known = Set(ids)
        violations = violations.filter { known.contains($0.key) }
    }

    func write(to path: String) throws {
        let lines = violations.sorted { $0.key < $1.key }.map {
            "\($0.key)\t\($0.value.mutant)\t\($0.value.check)\n"
        }
        try (Self.head + lines.joined()).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
