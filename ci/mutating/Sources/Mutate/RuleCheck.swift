import Foundation

/// A scenario with a kind of cache, or a test function, that names rules.
struct RuleCheck: Sendable {
    enum Kind: Sendable {
        /// The number of a trial.
        case trial(Int)
        case test(RuleTest)
    }

    let kind: Kind
    let name: String
    let rules: [String]
    /// In seconds, without a mutant.
    let duration: Double
    /// The mutants that it reaches.
    let reached: [Int]

    /// Returns the trials that passed without a mutant and name one of the rules.
    static func all(in table: TrialTable) -> [RuleCheck] {
        table.trials.enumerated().filter { !$1.reached.isEmpty }.map { number, trial in
            RuleCheck(
                kind: .trial(number),
                name: trial.name,
                rules: trial.rules,
                duration: trial.duration,
                reached: trial.reached
            )
        }
    }
}

extension RuleCheck {
    /// Whether an expectation of the check fails twice with the mutant and not without; a trap or a hang does not count.
    func notices(_ mutant: Mutant, _ worker: WorkerProcess, _ tests: RuleTestRunner) throws -> Bool {
        switch kind {
        case .test(let test):
            return try tests.notices(mutant.id, test, duration: duration)
        case .trial(let trial):
            let limit = 20 + 20 * duration
            let run = { (id: Int) in
                // An initial value is computed once in a process.
                if mutant.isInitial { worker.stop() }
                return try worker.run(trial, mutant: id, limit: limit)
            }
            guard case .failed = try run(mutant.id), case .passed = try run(0),
                case .failed = try run(mutant.id)
            else { return false }
            return true
        }
    }
}

/// Runs single test functions, with mutants and without.
struct RuleTestRunner: Sendable {
    let program: String
    /// The largest number of a mutant.
    let mutants: Int
    /// The folder of intermediate files.
    let scratch: String

    /// Returns the test as a check; `nil` if it fails without a mutant, or is not in the program.
    func check(_ test: RuleTest) throws -> RuleCheck? {
        let path = "\(scratch)/coverage-\(UUID().uuidString)"
        try Data(count: mutants + 1).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let begin = ContinuousClock.now
        guard try run(test, ["CACHECHECK_MUTANT_COVERAGE": path], limit: 60) == .succeeded else {
            return nil
        }
        let duration = (ContinuousClock.now - begin) / .seconds(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return RuleCheck(
            kind: .test(test),
            name: test.name,
            rules: test.rules,
            duration: duration,
            reached: bytes.indices.filter { bytes[$0] != 0 }
        )
    }

    /// Whether an expectation of the test fails twice with the mutant, and not without.
    ///
    /// A trap or a hang is no evidence that a rule is violated.
    func notices(_ mutant: Int, _ test: RuleTest, duration: Double) throws -> Bool {
        // A test that waits for what a mutant has removed is the usual hang, so the limit is short.
        let limit = 5 + 10 * duration
        let mutated = ["CACHECHECK_MUTANT": String(mutant)]
        guard case .failed = try run(test, mutated, limit: limit),
            try run(test, [:], limit: limit) == .succeeded,
            case .failed = try run(test, mutated, limit: limit)
        else { return false }
        return true
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
