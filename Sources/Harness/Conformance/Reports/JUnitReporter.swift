import CacheSemantics
import LocatedYAML
import ReportFormats
import Scenarios

/// JUnit's XML: a test suite an area, a test case a scenario and kind of cache.
///
/// A failed expectation is a `failure`; setup, dependency and harness problems are `error`s of that type; a result
/// that does not count against the run is `skipped` with its reason.
struct JUnitReporter: PageReporter {
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func page(_ summary: RunSummary) -> String {
        let areas = Dictionary(grouping: results, by: \.area)
        var document = JUnitDocument("cachecheck", time: decimal(summary.seconds, places: 3))
        for area in summary.areas {
            let cases = (areas[area.area] ?? []).map(testCase)
            document.add(area.area, time: decimal(area.seconds, places: 3), cases)
        }
        let problems = summary.baselineProblems.map { problem in
            JUnitCase(problem, of: "baseline", time: "0.000", [.failure("baseline", problem)])
        }
        if !problems.isEmpty { document.add("baseline", time: "0.000", problems) }
        return document.text
    }

    private func testCase(_ result: ScenarioResult) -> JUnitCase {
        let name =
            result.name.hasPrefix(result.suite + "/")
            ? String(result.name.dropFirst(result.suite.count + 1)) : result.name
        let time = decimal(result.seconds, places: 3)
        return JUnitCase(name, of: result.suite, at: result.position, time: time, outcome(result))
    }

    private func outcome(_ result: ScenarioResult) -> [JUnitCase.Element] {
        let (type, reason) = (result.verdict.name, result.verdict.reason)
        switch result.standing {
        case .passed: return []
        case .skipped, .noted: return [.skipped(reason)]
        case .expectedFailure: return [.skipped(result.baselineReason ?? "")]
        case .unexpectedPass:
            return [.failure("unexpected-pass", "passes, although the baseline expects a failure")]
        case .failed, .broken:
            let story = Transcript.lines(of: result).joined(separator: "\n")
            let wire = result.wire.isEmpty ? [] : [JUnitCase.Element.output(result.wire)]
            return [isError(result.verdict) ? .error(type, reason, story) : .failure(type, reason, story)]
                + wire
        }
    }

    private func isError(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .setupFailed, .dependencyFailed, .harnessError: true
        case .passed, .failed, .skipped: false
        }
    }
}
