import CacheSemantics
import LocatedYAML
import ReportFormats
import Scenarios

/// Workflow commands: an error for each group of failures, largest first, then a notice with the totals.
///
/// If there are too many for GitHub, the last error counts what is left, which the Markdown report has.
struct GitHubReporter: PageReporter {
    private static let maximumNames = 20
    var settings = ReportSettings()
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func includes(_ result: ScenarioResult) -> Bool { result.standing.failsRun }

    func page(_ summary: RunSummary) -> String {
        let problems = summary.baselineProblems.map { problem in
            WorkflowCommand(.error, title: "baseline", problem, at: Position(leading: problem))
        }
        return WorkflowCommand.page(
            problems + FailureGroup.groups(of: results).map(command),
            more: rest,
            notice: WorkflowCommand(.notice, title: "cachecheck", "\(summary.line) (\(run.subject))")
        )
    }

    private func rest(_ count: Int) -> WorkflowCommand {
        let message =
            "\(count) more groups of failures or problems of the baseline; the job's summary has all."
        return WorkflowCommand(.error, title: "and more", message, at: otherPlace)
    }

    /// The place of what is not about a user's scenario.
    private var otherPlace: Position? { settings.otherFile.map { Position(file: $0, line: 1, column: 0) } }

    private func command(_ group: FailureGroup) -> WorkflowCommand {
        let all = group.results + group.dependents
        let heading = group.requirement.heading(in: settings.catalogue)
        let title = heading.source.map { "\(heading.sentence) (\($0))" } ?? all.first?.title ?? group.cause
        let count = counted(group.count, "scenario")
        let names = all.prefix(Self.maximumNames).map(\.name)
        let more = all.count - names.count
        var lines = ["\(count): \(group.cause)"] + names + (more > 0 ? ["and \(more) more"] : [])
        if let first = all.first, !settings.rerun.isEmpty {
            lines.append("To see one in full: " + settings.rerun.replacing("ID", with: first.id))
        }
        let own = all.first { settings.isOwnFile($0.position.file) }
        let place = own.map {
            $0.verdict.mismatches.first.map { Position(leading: $0.position) } ?? $0.position
        }
        let text = lines.joined(separator: "\n")
        return WorkflowCommand(.error, title: title, text, at: place ?? otherPlace)
    }
}
