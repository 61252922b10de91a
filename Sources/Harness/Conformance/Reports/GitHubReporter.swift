import CacheSemantics
import LocatedYAML
import Scenarios

/// Workflow commands: an error at the line of each expectation that did not hold, a notice for results that are noted.
struct GitHubReporter: Reporter {
    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted: ""
        case .scenarioFinished(let result): commands(result)
        case .runFinished(let summary): end(summary)
        }
    }

    private func commands(_ result: ScenarioResult) -> String {
        switch result.standing {
        case .passed, .skipped, .expectedFailure: return ""
        case .unexpectedPass:
            let message = "passes, although the baseline expects a failure: \(result.baselineReason ?? "")"
            return command("error", result, at: result.position.description, message)
        case .noted: return commands("notice", result)
        case .failed, .broken: return commands("error", result)
        }
    }

    private func commands(_ level: String, _ result: ScenarioResult) -> String {
        let mismatches = result.verdict.mismatches
        if mismatches.isEmpty {
            return command(level, result, at: result.position.description, result.verdict.reason)
        }
        return mismatches.map { command(level, result, at: $0.position, Verdict.sentence($0)) }.joined()
    }

    private func command(_ level: String, _ result: ScenarioResult, at place: String, _ message: String)
        -> String
    {
        let title = WorkflowCommand.property("\(result.verdict.name) \(result.name)")
        let text = WorkflowCommand.data(
            "\(message)\n\(result.title)\nrules: \(result.rules.joined(separator: ", "))"
        )
        return "::\(level) \(Self.properties(of: place)),title=\(title)::\(text)\n"
    }

    private func end(_ summary: RunSummary) -> String {
        let problems = summary.baselineProblems.map { problem in
            "::error \(Self.properties(of: problem)),title=baseline::\(WorkflowCommand.data(problem))\n"
        }
        return problems.joined() + "::notice title=cachecheck::\(summary.line)\n"
    }

    /// Returns the properties for a text that begins with `file:line:column`.
    private static func properties(of place: String) -> String {
        let parts = place.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, let line = Int(parts[1]), let column = Int(parts[2]) else {
            return "file=\(WorkflowCommand.property(place))"
        }
        return "file=\(WorkflowCommand.property(String(parts[0]))),line=\(line),col=\(column)"
    }
}
