package import CacheSemantics
import Clocks
package import Conformance
package import Scenarios

/// Runs mutants against the scenarios for the rules that they break.
package struct MutantRun: Sendable {
    /// Options of a run.
    package struct Options: Sendable {
        /// The number of mutants that are run concurrently, at least 1; default 1.
        package var jobs = 1
        /// Whether all scenarios for a mutant's rules are run, or only until each rule has a killer; default false.
        package var findsAllKillers = false
        /// Kinds of cache; empty, the default, for all that a scenario applies to.
        package var cacheKinds: Set<CacheKind> = []
        /// The real time limit of a step; default 20 s.
        package var stepTimeout = Duration.seconds(20)

        /// Creates the default options.
        package init() {}
    }
    private let mutants: [Mutant]
    private let trials: [MutantTrial]
    private let options: Options

    /// Creates a run of `mutants` against the scenarios of `suites`.
    package init(_ mutants: [Mutant] = Mutant.all, _ suites: [Suite], options: Options = Options()) {
        self.mutants = mutants
        self.options = options
        trials = MutantTrial.all(suites, kinds: options.cacheKinds)
    }

    /// Runs the intact cache, then every mutant; blocks the calling thread.
    package func run() throws(RunnerError) -> MutantSummary {
        let clock = SystemClock()
        let begin = clock.elapsed
        let room = try MutantExecutor(timeout: options.stepTimeout)
        defer { room.close() }
        let intact = tryIntact(room)
        let results = tryAll(room)
        var summary = MutantSummary(results: results, intactTrials: intact.count)
        summary.intactFailures = intact.compactMap(\.self)
        summary.seconds = (clock.elapsed - begin).seconds
        return summary
    }

    /// Runs the scenarios of the mutants against a cache with all decorators and no defect.
    ///
    /// A scenario that fails here would wrongly count as the killer of a mutant. Returns one element for each trial,
    /// `nil` if it passed.
    private func tryIntact(_ room: MutantExecutor) -> [String?] {
        let rules = Set(mutants.flatMap(\.rules))
        let needed = trials.filter { !rules.isDisjoint(with: $0.scenario.rules) }
        return needed.mapOnThreads(atOnce: options.jobs) { trial in
            let result = trial.run(.ofNothing, label: "", by: room)
            return result.verdict == .passed ? nil : "\(result.name): \(result.verdict.reason)"
        }
    }

    private func tryAll(_ room: MutantExecutor) -> [MutantResult] {
        mutants.mapOnThreads(atOnce: options.jobs) { self.result(of: $0, room) }
    }

    private func result(of mutant: Mutant, _ room: MutantExecutor) -> MutantResult {
        let clock = SystemClock()
        let begin = clock.elapsed
        var result = MutantResult(mutant: mutant, unnoticed: mutant.rules)
        for trial in MutantTrial.about(mutant.rules, in: trials) {
            // A scenario whose rules all have killers already gives no new information.
            let isNews = !Set(result.unnoticed).isDisjoint(with: trial.scenario.rules)
            guard isNews || options.findsAllKillers else { continue }
            result.trials += 1
            result.note(trial.run(mutant.decoration, label: mutant.id, by: room))
            if result.unnoticed.isEmpty, !options.findsAllKillers { break }
        }
        result.seconds = (clock.elapsed - begin).seconds
        return result
    }
}

extension MutantResult {
    /// Adds the result of a scenario.
    fileprivate mutating func note(_ result: ScenarioResult) {
        switch result.verdict {
        case .failed:
            let named = mutant.rules.filter(result.rules.contains)
            unnoticed.removeAll(where: named.contains)
            let (kind, reason) = (result.cacheKind, result.verdict.reason)
            killers.append(Killer(scenario: result.id, kind: kind, rules: named, reason: reason))
        case .harnessError(let text): troubles.append("\(result.name): \(text)")
        case .passed, .skipped, .setupFailed, .dependencyFailed: break
        }
    }
}

extension Decoration {
    /// A decoration with the decorators that mutants use, without a defect.
    fileprivate static var ofNothing: Decoration {
        var decoration = Decoration()
        decoration.decisions = { DefectiveEngine(base: $0, defect: EngineDefect()) }
        decoration.store = { EntryChangingStore($0) }
        decoration.transport = { TransportDecorator(base: $0, receiver: { HeadChangingReceiver($0) }) }
        return decoration
    }
}
