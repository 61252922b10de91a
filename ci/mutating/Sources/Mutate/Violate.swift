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
    @Option(help: "The folder of intermediate files.") var scratch: String

    func run() throws {
        let mutants = try JSONDecoder().decode(
            [Mutant].self,
            from: Data(contentsOf: URL(fileURLWithPath: list))
        )
        let last = mutants.map(\.id).max() ?? 0
        let byID = Dictionary(mutants.map { ($0.id, $0) }) { first, _ in first }
        let ids = try ruleIDs()
        var found = try ViolationRecord(contentsOf: record)
        found.keep(ids)
        let coverage = "\(scratch)/coverage-rules"
        try Data(count: last + 1).write(to: URL(fileURLWithPath: coverage))
        let covering = WorkerProcess(
            program: worker,
            scenarios: scenarios,
            environment: ["CACHECHECK_MUTANT_COVERAGE": coverage]
        )
        let table = try TrialTable(measuring: covering, mutants: last)
        covering.stop()
        let search = ViolationSearch(
            table: table,
            mutants: byID,
            worker: WorkerProcess(program: worker, scenarios: scenarios),
            tests: RuleTestRunner(program: tests, mutants: last, coverage: coverage),
            ruleTests: try RuleTest.all(below: testSources)
        )
        for (number, rule) in ids.enumerated() where found.violations[rule] == nil {
            guard let violation = try search.violation(of: rule) else { continue }
            found.violations[rule] = violation
            try found.write(to: record)
            print("\(number + 1)/\(ids.count) \(rule): \(violation.mutant)")
        }
        print(
            "\(found.violations.count) of \(ids.count) rules have a mutant that a check of the rule notices"
        )
    }

    private func ruleIDs() throws -> [String] {
        let text = try String(contentsOfFile: rules, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("  - id: ") }.map { String($0.dropFirst(8)) }
    }
}

/// The mutants that violate rules, and the checks that noticed them, as they are kept in a file.
struct ViolationRecord {
    struct Violation: Equatable {
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
