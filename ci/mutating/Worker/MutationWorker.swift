import CacheSemantics
import Conformance
import Foundation
import MutationSwitch
import Scenarios
import StackScenarios

/// Runs single scenarios for `ci/mutate`, each with a mutant, as standard input asks.
///
///     MutationWorker SCENARIOS
///
/// Each scenario is run with each of its kinds of cache, with an observer and without; such a trial has a number. The worker
/// writes their names and rules, one a line with a tab between, then `ready`. A line `MUTANT TRIAL` on standard input runs a trial, with this mutant or
/// with none (0). The result is a line: `passed`, `failed`, or `unfinished` where the set-up, a dependency or the harness failed; and the mutants that were
/// asked about, if they are recorded.
@main
struct MutationWorker {
    let trials: [Trial]
    let observed: MutantExecutor
    let unobserved: MutantExecutor

    static func main() {
        guard CommandLine.arguments.count == 2 else {
            fail("expected one argument, the folder of scenarios", 64)
        }
        do {
            let library = try ScenarioLibrary.load(
                paths: [CommandLine.arguments[1]],
                language: .withStack()
            )
            let patience = Duration.seconds(8)
            let worker = MutationWorker(
                trials: library.suites.flatMap(Trial.all),
                observed: try MutantExecutor(patience: patience),
                unobserved: try MutantExecutor(patience: patience, isObserved: false)
            )
            worker.serve()
        } catch {
            fail("\(error)", 69)
        }
    }

    private static func fail(_ reason: String, _ status: Int32) -> Never {
        FileHandle.standardError.write(Data("MutationWorker: \(reason)\n".utf8))
        exit(status)
    }

    private func serve() {
        for trial in trials { print("\(trial.name)\t\(trial.scenario.rules.joined(separator: " "))") }
        _ = takeCoverage()
        print("ready")
        fflush(nil)
        while let line = readLine() {
            let numbers = line.split(separator: " ").compactMap { Int32($0) }
            guard numbers.count == 2, trials.indices.contains(Int(numbers[1])) else {
                Self.fail("expected a mutant and a trial, found '\(line)'", 65)
            }
            enableMutant(numbers[0])
            let result = run(trials[Int(numbers[1])])
            enableMutant(0)
            print(result, takeCoverage().map(String.init).joined(separator: " "))
            fflush(nil)
        }
    }

    private func run(_ trial: Trial) -> String {
        let executor = trial.isObserved ? observed : unobserved
        let result = executor.run(trial.scenario, of: trial.suite, trial.kind, Decoration(), label: "")
        return switch result.verdict {
        case .passed: "passed"
        case .failed: "failed"
        default: "unfinished"
        }
    }
}

/// One scenario with one kind of cache.
struct Trial {
    let scenario: Scenario
    let suite: Suite
    let kind: CacheKind
    /// Whether its requests have an observer, which keeps the client from shorter ways.
    let isObserved: Bool

    var name: String { "\(scenario.id) [\(kind.rawValue)]\(isObserved ? "" : " without observer")" }

    static func all(of suite: Suite) -> [Trial] {
        suite.scenarios.flatMap { scenario in
            scenario.cacheKinds.flatMap { kind in
                [true, false].map { Trial(scenario: scenario, suite: suite, kind: kind, isObserved: $0) }
            }
        }
    }
}
