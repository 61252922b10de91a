import Foundation

/// The scenarios' trials, with what each reaches and how long it takes.
struct TrialTable: Sendable {
    struct Trial: Sendable {
        let name: String
        let rules: [String]
        /// Whether its cache is the engine with a store of its own in place of the client.
        let isOfEngine: Bool
        /// In seconds, without a mutant.
        let duration: Double
        let reached: [Int]
    }

    private(set) var trials: [Trial] = []
    /// The names of the trials of the client that fail without a mutant, again and again; they are not used.
    ///
    /// Neither are those of the engine, whose store need not do what is optional.
    private(set) var failing: [String] = []
    /// The trials that pass without a mutant.
    private var usable: [Int] = []
    /// The trials that reach a mutant, by its id.
    private var reaching: [[Int32]]

    /// Runs every trial without a mutant; if `rules` is not `nil`, only trials of the client that name one of them.
    init(measuring worker: WorkerProcess, mutants: Int, rules: Set<String>? = nil) throws {
        reaching = Array(repeating: [], count: mutants + 1)
        try worker.start()
        for (number, listed) in worker.trials.enumerated() {
            let isWanted = rules.map { !listed.isOfEngine && !$0.isDisjoint(with: listed.rules) } ?? true
            let passed = isWanted ? try Self.pass(number, worker) : .skipped
            if passed == .failed, !listed.isOfEngine { failing.append(listed.name) }
            add(listed, passed)
        }
    }

    private mutating func add(_ listed: WorkerProcess.Listed, _ outcome: Outcome) {
        var (duration, reached) = (0.0, [Int]())
        if case .passed(let seconds, let mutants) = outcome {
            (duration, reached) = (seconds, mutants)
            usable.append(trials.count)
        }
        for mutant in reached { reaching[mutant].append(Int32(trials.count)) }
        trials.append(
            Trial(
                name: listed.name,
                rules: listed.rules,
                isOfEngine: listed.isOfEngine,
                duration: duration,
                reached: reached
            )
        )
    }

    /// How long a trial may take without a mutant, in seconds, and how often it may fail.
    private static let (limit, attempts) = (300.0, 3)

    private enum Outcome: Equatable {
        /// How long it takes, in seconds, and what it reaches.
        case passed(Double, [Int])
        case skipped
        case failed
    }

    private static func pass(_ trial: Int, _ worker: WorkerProcess) throws -> Outcome {
        for _ in 0..<attempts {
            let begin = ContinuousClock.now
            switch try worker.run(trial, mutant: 0, limit: limit) {
            case .passed(let reached): return .passed((ContinuousClock.now - begin) / .seconds(1), reached)
            case .skipped: return .skipped
            case .failed, .unfinished, .died, .overdue: continue
            }
        }
        return .failed
    }

    /// Returns how many trials reach a mutant.
    func breadth(of mutant: Int) -> Int { reaching[mutant].count }

    /// Returns the trials that reach a mutant, in the order of their files; all trials if only initial values may do so.
    ///
    /// Those of the engine take real time, so they are only for what is written for other stores, and for what no trial of the
    /// client reaches.
    func trials(reaching mutant: Mutant) -> [Int] {
        let all = mutant.isInitial ? usable : reaching[mutant.id].map(Int.init)
        if mutant.file.contains("/Adopting/") { return all }
        let ofClient = all.filter { !trials[$0].isOfEngine }
        return ofClient.isEmpty ? all : ofClient
    }
}
