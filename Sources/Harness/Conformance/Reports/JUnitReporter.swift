import CacheSemantics
import LocatedYAML
import Scenarios

/// JUnit's XML: a test suite an area, a test case a scenario and kind of cache.
///
/// A failed expectation is a `failure`; setup, dependency and harness problems are `error`s of that type; a result
/// that does not count against the run is `skipped` with its reason.
struct JUnitReporter: Reporter {
    private var results: [ScenarioResult] = []

    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted: return ""
        case .scenarioFinished(let result):
            results.append(result)
            return ""
        case .runFinished(let summary): return document(summary)
        }
    }

    private func document(_ summary: RunSummary) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let totals = attributes(of: summary.total, extraFailures: summary.baselineProblems.count)
        lines.append(
            "<testsuites name=\"cachecheck\" \(totals) time=\"\(decimal(summary.seconds, places: 3))\">"
        )
        for area in summary.areas { lines += suite(area) }
        if !summary.baselineProblems.isEmpty { lines += baselineSuite(summary.baselineProblems) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func suite(_ area: AreaCounts) -> [String] {
        let name = Markup.attribute(area.area)
        let time = decimal(area.seconds, places: 3)
        let head = "  <testsuite name=\"\(name)\" \(attributes(of: area)) time=\"\(time)\">"
        return [head] + results.filter { $0.area == area.area }.flatMap(testCase) + ["  </testsuite>"]
    }

    private func attributes(of counts: AreaCounts, extraFailures: Int = 0) -> String {
        let errors = results.filter { isIn(counts, $0) && $0.standing.failsRun && isError($0.verdict) }.count
        let failures = counts.failed - errors + extraFailures
        let skipped = counts[.skipped] + counts[.noted] + counts[.expectedFailure]
        return "tests=\"\(counts.all + extraFailures)\" failures=\"\(failures)\" errors=\"\(errors)\" "
            + "skipped=\"\(skipped)\""
    }

    private func isIn(_ counts: AreaCounts, _ result: ScenarioResult) -> Bool {
        counts.area == "total" || counts.area == result.area
    }

    private func isError(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .setupFailed, .dependencyFailed, .harnessError: true
        case .passed, .failed, .skipped: false
        }
    }

    private func testCase(_ result: ScenarioResult) -> [String] {
        let head =
            "    <testcase classname=\"\(Markup.attribute(result.suite))\" name=\"\(Markup.attribute(shortName(result)))\" "
            + "file=\"\(Markup.attribute(result.position.file))\" line=\"\(result.position.line)\" "
            + "time=\"\(decimal(result.seconds, places: 3))\""
        let content = outcome(result)
        return content.isEmpty ? [head + "/>"] : [head + ">"] + content + ["    </testcase>"]
    }

    private func shortName(_ result: ScenarioResult) -> String {
        result.name.hasPrefix(result.suite + "/")
            ? String(result.name.dropFirst(result.suite.count + 1)) : result.name
    }

    private func outcome(_ result: ScenarioResult) -> [String] {
        let reason = Markup.attribute(result.verdict.reason)
        switch result.standing {
        case .passed: return []
        case .skipped, .noted: return ["      <skipped message=\"\(reason)\"/>"]
        case .expectedFailure:
            return ["      <skipped message=\"\(Markup.attribute(result.baselineReason ?? ""))\"/>"]
        case .unexpectedPass:
            let message = Markup.attribute("passes, although the baseline expects a failure")
            return ["      <failure type=\"unexpected-pass\" message=\"\(message)\"/>"]
        case .failed, .broken:
            let element = isError(result.verdict) ? "error" : "failure"
            let story = Markup.text(Transcript.lines(of: result).joined(separator: "\n"))
            let head = "      <\(element) type=\"\(result.verdict.name)\" message=\"\(reason)\">"
            return [head + story + "</\(element)>"] + wire(result)
        }
    }

    /// Returns the bytes of the connections, if they were kept.
    private func wire(_ result: ScenarioResult) -> [String] {
        result.wire.isEmpty ? [] : ["      <system-out>\(Markup.text(result.wire))</system-out>"]
    }

    private func baselineSuite(_ problems: [String]) -> [String] {
        let counts = "tests=\"\(problems.count)\" failures=\"\(problems.count)\" errors=\"0\" skipped=\"0\""
        let cases = problems.flatMap { problem in
            [
                "    <testcase classname=\"baseline\" name=\"\(Markup.attribute(problem))\" time=\"0.000\">",
                "      <failure type=\"baseline\" message=\"\(Markup.attribute(problem))\"/>",
                "    </testcase>",
            ]
        }
        return ["  <testsuite name=\"baseline\" \(counts) time=\"0.000\">"] + cases + ["  </testsuite>"]
    }
}
