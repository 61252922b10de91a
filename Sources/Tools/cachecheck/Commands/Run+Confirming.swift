import Conformance
import PublicSuite
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
        options.hasPreflight = false
        options.selection.filters = Set(failed.map(\.id)).map(GlobPattern.init)
        let runner = Runner(library, tests, options)
        var again: [String: String] = [:]
        do throws(RunnerError) {
            _ = try runner.run { event in
                if case .scenarioFinished(let result) = event { again[result.name] = result.verdict.name }
            }
        } catch {
            throw stop(error, ExitStatus.unavailable)
        }
        for result in failed {
            let now = again[result.name] ?? "nothing"
            let isSame = now == result.verdict.name
            print(
                "\(isSame ? "CONFIRMED" : "FLAKY") \(result.name): \(result.verdict.name)"
                    + (isSame ? "" : ", then \(now)")
            )
        }
    }

    /// Prints how many scenarios and tests the files contain.
    func printCounts(_ library: ScenarioLibrary, _ tests: [SuiteFile]) {
        let scenarios = library.suites.flatMap(\.scenarios).count
        let count = tests.flatMap(\.suites).flatMap(\.tests).count
        if !library.suites.isEmpty || tests.isEmpty {
            print("\(scenarios) scenarios in \(library.suites.count) files are well-formed")
        }
        if !tests.isEmpty { print("\(count) tests in \(tests.count) files are well-formed") }
    }
}
