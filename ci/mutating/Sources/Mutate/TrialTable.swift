import Foundation

/// The scenarios' trials, with what each reaches and how long it takes.
struct TrialTable: Sendable {
    struct Trial: Sendable {
        let name: String
        let rules: [String]
        /// In seconds, without a mutant.
        let duration: Double
        let reached: [Int]
    }

    private(set) var trials: [Trial] = []
    /// The trials that reach a mutant, by its id.
    private var reaching: [[Int32]]

    /// Runs every trial without a mutant.
    ///
    /// - Throws: ``MutationError/failsWithout(_:)`` if one does not pass.
    init(measuring worker: WorkerProcess, mutants: Int) throws {
        reaching = Array(repeating: [], count: mutants + 1)
        try worker.start()
        for (number, (name, rules)) in worker.trials.enumerated() {
            let begin = ContinuousClock.now
            guard case .passed(let reached) = try worker.run(number, mutant: 0, limit: Self.limit) else {
                throw MutationError.failsWithout(name)
            }
            let duration = (ContinuousClock.now - begin) / .seconds(1)
            trials.append(Trial(name: name, rules: rules, duration: duration, reached: reached))
            for mutant in reached { reaching[mutant].append(Int32(number)) }
        }
    }

    /// How long a trial may take without a mutant, in seconds.
    private static let limit = 300.0

    /// Returns how many trials reach a mutant.
    func breadth(of mutant: Int) -> Int { reaching[mutant].count }

    /// Returns the trials that reach a mutant, in the order of their files; all trials if only initial values may do so.
    func trials(reaching mutant: Mutant) -> [Int] {
        mutant.isInitial ? Array(trials.indices) : reaching[mutant.id].map(Int.init)
    }
}
