public import CacheSemantics
import Clocks
public import Conformance
import Locks
public import Scenarios

/// Puts mutants through the scenarios that are about the rules they break.
public struct MutantRun: Sendable {
    /// How a run is done.
    public struct Options: Sendable {
        /// How many mutants are tried at once, at least 1; default 1.
        public var jobs = 1
        /// Whether every scenario about a mutant's rules is run, or only until each rule has a killer; default false.
        public var findsAllKillers = false
        /// Kinds of cache; empty, the default, for all that a scenario applies to.
        public var cacheKinds: Set<CacheKind> = []
        /// Real time after which a step is given up; default 20 s.
        public var patience = Duration.seconds(20)

        /// Creates the default options.
        public init() {}
    }
    private let mutants: [Mutant]
    private let trials: [MutantTrial]
    private let options: Options

    /// Creates a run of `mutants` against the scenarios of `suites`.
    public init(_ mutants: [Mutant] = Mutant.all, _ suites: [Suite], options: Options = Options()) {
        self.mutants = mutants
        self.options = options
        trials = MutantTrial.all(suites, kinds: options.cacheKinds)
    }

    /// Tries the intact cache, then every mutant; blocks the calling thread.
    public func run() throws(RunnerError) -> MutantSummary {
        let clock = SystemClock()
        let begin = clock.elapsed
        let room = try MutantExecutor(patience: options.patience)
        defer { room.close() }
        let intact = tryIntact(room)
        let results = tryAll(room)
        var summary = MutantSummary(results: results, intactTrials: intact.count)
        summary.intactFailures = intact.compactMap(\.self)
        summary.seconds = (clock.elapsed - begin).seconds
        return summary
    }

    /// Runs what the mutants are tried with against a cache with everything around it and no defect in that.
    ///
    /// What fails then would blame a mutant for nothing. One element a trial, `nil` where it passed.
    private func tryIntact(_ room: MutantExecutor) -> [String?] {
        let rules = Set(mutants.flatMap(\.rules))
        let needed = trials.filter { !rules.isDisjoint(with: $0.scenario.rules) }
        return onThreads(needed) { trial in
            let result = room.run(trial.scenario, of: trial.suite, trial.kind, .ofNothing, label: "")
            return result.verdict == .passed ? nil : "\(result.name): \(result.verdict.reason)"
        }
    }

    private func tryAll(_ room: MutantExecutor) -> [MutantResult] {
        onThreads(mutants) { self.result(of: $0, room) }
    }

    private func result(of mutant: Mutant, _ room: MutantExecutor) -> MutantResult {
        let clock = SystemClock()
        let begin = clock.elapsed
        var result = MutantResult(mutant: mutant, unnoticed: mutant.rules)
        for trial in MutantTrial.about(mutant.rules, in: trials) {
            // A scenario about rules that others have noticed already says nothing new.
            let isNews = !Set(result.unnoticed).isDisjoint(with: trial.scenario.rules)
            guard isNews || options.findsAllKillers else { continue }
            result.trials += 1
            result.note(
                room.run(trial.scenario, of: trial.suite, trial.kind, mutant.decoration, label: mutant.id)
            )
            if result.unnoticed.isEmpty, !options.findsAllKillers { break }
        }
        result.seconds = (clock.elapsed - begin).seconds
        return result
    }

    /// Does work for each element on as many threads as there are jobs; the results are in the order of the elements.
    private func onThreads<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        _ work: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let next = Lock(0)
        let results = Lock([Result?](repeating: nil, count: elements.count))
        MutantExecutor.onThreads(min(options.jobs, elements.count)) {
            while true {
                let place = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard place < elements.count else { return }
                let result = work(elements[place])
                results.withLock { $0[place] = result }
            }
        }
        return results.withLock { $0 }.compactMap(\.self)
    }
}

extension MutantResult {
    /// Takes in what a scenario said.
    fileprivate mutating func note(_ result: ScenarioResult) {
        switch result.verdict {
        case .failed:
            let named = mutant.rules.filter(result.rules.contains)
            unnoticed.removeAll(where: named.contains)
            killers.append(
                Killer(
                    scenario: result.id,
                    kind: result.cacheKind,
                    rules: named,
                    reason: result.verdict.reason
                )
            )
        case .harnessError(let text): troubles.append("\(result.name): \(text)")
        case .passed, .skipped, .setupFailed, .dependencyFailed: break
        }
    }
}

extension Decoration {
    /// What mutants are made with, around every part, with no defect in it.
    fileprivate static var ofNothing: Decoration {
        var decoration = Decoration()
        decoration.decisions = { DefectiveEngine(base: $0, defect: EngineDefect()) }
        decoration.store = { StoreDecorator($0) }
        decoration.transport = { TransportDecorator(base: $0, receiver: { ReceiverDecorator($0) }) }
        return decoration
    }
}
