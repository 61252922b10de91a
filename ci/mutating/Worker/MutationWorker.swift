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
/// The environment names the targets that are mutated, in `CACHECHECK_MUTATED`.
/// Each scenario is run with each of its kinds of cache, with each `TrialSubject`; such a trial has a number. The worker
/// writes their names, rules and subjects, one a line with tabs between, then `ready`. A line `MUTANT TRIAL` on standard input runs a trial, with this
/// mutant or with none (0). The result is a line: `passed`, `failed`, `skipped`, or `unfinished` where the set-up, a dependency or the harness failed; and
/// the mutants that were asked about, if they are recorded.
@main
struct MutationWorker {
    let trials: [Trial]
    let executors: TrialExecutors

    static func main() {
        guard CommandLine.arguments.count == 2 else {
            fail("expected one argument, the folder of scenarios", 64)
        }
        do {
            let library = try ScenarioLibrary.load(
                paths: [CommandLine.arguments[1]],
                language: .withStack()
            )
            let targets = ProcessInfo.processInfo.environment["CACHECHECK_MUTATED", default: ""].split(
                separator: " "
            )
            let worker = MutationWorker(
                trials: library.suites.flatMap { Trial.all(of: $0, mutates: targets) },
                executors: try TrialExecutors(timeout: .seconds(8))
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
        for trial in trials {
            print(trial.name, trial.scenario.rules.joined(separator: " "), trial.subject, separator: "\t")
        }
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
        let executor = executors.executor(of: trial)
        let result = executor.run(trial.scenario, of: trial.suite, trial.kind, Decoration(), label: "")
        return switch result.verdict {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        default: "unfinished"
        }
    }
}
