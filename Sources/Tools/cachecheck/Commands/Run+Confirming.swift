import Conformance
import PublicSuite
import ReportFormats
import Scenarios

extension Run {
    /// Reruns failures once with a new subject, and reports whether each is confirmed.
    func printFlaky(
        _ failed: [ScenarioResult],
        _ library: ScenarioLibrary,
        _ tests: [SuiteFile],
        _ options: RunOptions
    ) throws {
        var options = options
        options.checksConnectivity = false
        options.selection.filters = Set(failed.map(\.id)).map(GlobPattern.init)
        let again = try verdicts(of: Runner(library, tests, options))
        for result in failed { print(Self.line(result, again[result.name] ?? "nothing")) }
    }

    /// Runs scenarios and returns the names of their verdicts by their own names.
    private func verdicts(of runner: Runner) throws -> [String: String] {
        var verdicts: [String: String] = [:]
        _ = try orStop(ExitStatus.unavailable) {
            try runner.run { event in
                if case .scenarioFinished(let result) = event { verdicts[result.name] = result.verdict.name }
            }
        }
        return verdicts
    }

    private static func line(_ result: ScenarioResult, _ now: String) -> String {
        let verdict = result.verdict.name
        let isSame = now == verdict
        let then = isSame ? "" : ", then \(now)"
        return "\(isSame ? "CONFIRMED" : "FLAKY") \(result.name): \(verdict)\(then)"
    }

    /// Prints how many scenarios and tests the files contain.
    func printCounts(_ library: ScenarioLibrary, _ tests: [SuiteFile]) {
        let scenarios = library.suites.flatMap(\.scenarios).count
        let count = tests.flatMap(\.suites).flatMap(\.tests).count
        if !library.suites.isEmpty || tests.isEmpty {
            printCount(scenarios, "scenario", files: library.suites.count)
        }
        if !tests.isEmpty { printCount(count, "test", files: tests.count) }
    }

    private func printCount(_ count: Int, _ noun: String, files: Int) {
        let verb = count == 1 ? "is" : "are"
        print("\(counted(count, noun)) in \(counted(files, "file")) \(verb) well-formed")
    }
}
