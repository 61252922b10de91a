import CacheSemantics
import JSON
import LocatedYAML
import Scenarios

/// Test Anything Protocol, version 14: a test point a scenario and kind of cache.
///
/// Results that do not count against the run are `# TODO` points, which the protocol uses for expected failures.
struct TAPReporter: Reporter {
    private var number = 0

    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run):
            return "TAP version 14\n# \(run.countText), \(run.subject), \(run.transport)\n"
        case .scenarioFinished(let result):
            number += 1
            return point(result)
        case .runFinished(let summary): return end(summary)
        }
    }

    private func point(_ result: ScenarioResult) -> String {
        let description = "\(number) - \(Self.escaped(result.name)): \(Self.escaped(result.title))"
        switch result.standing {
        case .passed: return "ok \(description)\n"
        case .skipped: return "ok \(description) # SKIP \(Self.escaped(result.verdict.reason))\n"
        case .expectedFailure:
            return "not ok \(description) # TODO \(Self.escaped(result.baselineReason ?? ""))\n"
                + diagnostics(result)
        case .noted:
            return "not ok \(description) # TODO \(result.level.rawValue)\n" + diagnostics(result)
        case .failed, .unexpectedPass, .broken:
            return "not ok \(description)\n" + diagnostics(result)
        }
    }

    private func diagnostics(_ result: ScenarioResult) -> String {
        let reason =
            result.standing == .unexpectedPass
            ? "passes, although the baseline expects a failure" : result.verdict.reason
        var lines = [
            "---", "verdict: \(result.verdict.name)", "message: \(JSONValue.quoted(reason))",
            "level: \(result.level.rawValue)", "rules: \(JSONValue(result.rules).written())",
            "at: \(JSONValue.quoted(result.position.description))",
        ]
        if !result.steps.isEmpty, result.standing != .unexpectedPass {
            lines += ["story: |"] + Transcript.lines(of: result).map { "  " + $0 }
        }
        return (lines + ["..."]).map { "  \($0)\n" }.joined()
    }

    /// Returns the plan, which comes at the end because problems of the baseline are test points too.
    private mutating func end(_ summary: RunSummary) -> String {
        var text = ""
        for problem in summary.baselineProblems {
            number += 1
            text += "not ok \(number) - baseline: \(Self.escaped(problem))\n"
        }
        return text + "1..\(number)\n# \(summary.line)\n"
    }

    /// Returns text in which no `#` starts a directive.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in Transcript.printable(text) {
            if character == "\\" || character == "#" { result += "\\" }
            result.append(character)
        }
        return result
    }
}
