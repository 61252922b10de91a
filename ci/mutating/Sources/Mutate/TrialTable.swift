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
    /// The names of the trials that fail without a mutant, again and again; they are not used.
    private(set) var failing: [String] = []
    /// The trials that reach a mutant, by its id.
    private var reaching: [[Int32]]

    /// Runs every trial without a mutant; if `rules` is not `nil`, only trials that name one of them.
    init(measuring worker: WorkerProcess, mutants: Int, rules: Set<String>? = nil) throws {
        reaching = Array(repeating: [], count: mutants + 1)
        try worker.start()
        for (number, (name, named)) in worker.trials.enumerated() {
            let isWanted = rules.map { !$0.isDisjoint(with: named) } ?? true
            let passed = isWanted ? try Self.pass(number, worker) : nil
            let (duration, reached) = passed ?? (0, [])
            if isWanted, passed == nil { failing.append(name) }
            trials.append(Trial(name: name, rules: named, duration: duration, reached: reached))
            for mutant in reached { reaching[mutant].append(Int32(number)) }
        }
    }

    /// How long a trial may take without a mutant, in seconds, and how often it may fail.
    private static let (limit, attempts) = (300.0, 3)

    /// Returns how long a trial takes and what it reaches; `nil` if it does not pass.
    private static func pass(_ trial: Int, _ worker: WorkerProcess) throws -> (Double, [Int])? {
        for _ in 0..<attempts {
            let begin = ContinuousClock.now
            if case .passed(let reached) = try worker.run(trial, mutant: 0, limit: limit) {
                return ((ContinuousClock.now - begin) / .seconds(1), reached)
            }
        }
        return nil
    }

    /// Returns how many trials reach a mutant.
    func breadth(of mutant: Int) -> Int { reaching[mutant].count }

    /// Returns the trials that reach a mutant, in the order of their files; all trials if only initial values may do so.
    func trials(reaching mutant: Mutant) -> [Int] {
        if !mutant.isInitial { return reaching[mutant.id].map(Int.init) }
        let failing = Set(failing)
        return trials.indices.filter { !failing.contains(trials[$0].name) }
    }
}
