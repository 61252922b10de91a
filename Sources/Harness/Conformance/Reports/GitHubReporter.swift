import CacheSemantics
import LocatedYAML
import Scenarios

/// Workflow commands: an error for each group of failures, largest first, then a notice with the totals.
///
/// GitHub shows ten annotations a step, so there are no more; the last error counts what is left, which the Markdown report has.
struct GitHubReporter: PageReporter {
    /// With the notice these are ten.
    private static let mostErrors = 9
    private static let mostNames = 20
    var settings = ReportSettings()
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func includes(_ result: ScenarioResult) -> Bool { result.standing.failsRun }

    func page(_ summary: RunSummary) -> String {
        var errors = summary.baselineProblems.map { problem in
            Annotation(place: problem, title: "baseline", message: problem)
        }
        errors += FailureGroup.groups(of: results).map(annotation)
        var shown = errors.prefix(Self.mostErrors)
        if errors.count > Self.mostErrors {
            shown = shown.dropLast()
            let rest =
                "\(errors.count - shown.count) more groups of failures or problems of the baseline; the job's summary has all."
            shown.append(Annotation(place: nil, title: "and more", message: rest))
        }
        return shown.map(command).joined()
            + "::notice title=cachecheck::\(WorkflowCommand.data("\(summary.line) (\(run.subject))"))\n"
    }

    private struct Annotation {
        /// A text that begins with `file:line:column`.
        let place: String?
        let title: String
        let message: String
    }

    private func annotation(_ group: FailureGroup) -> Annotation {
        let all = group.results + group.dependents
        let heading = group.requirement.heading(in: settings.catalogue)
        let title = heading.source.map { "\(heading.sentence) (\($0))" } ?? all.first?.title ?? group.cause
        let count = "\(group.count) scenario\(group.count == 1 ? "" : "s")"
        let names = all.prefix(Self.mostNames).map(\.name)
        let more = all.count - names.count
        var lines = ["\(count): \(group.cause)"] + names + (more > 0 ? ["and \(more) more"] : [])
        if let first = all.first, !settings.rerun.isEmpty {
            lines.append("To see one in full: " + settings.rerun.replacing("ID", with: first.id))
        }
        let own = all.first { settings.isOwnFile($0.position.file) }
        let place = own.map { $0.verdict.mismatches.first?.position ?? $0.position.description }
        return Annotation(place: place, title: title, message: lines.joined(separator: "\n"))
    }

    private func command(_ annotation: Annotation) -> String {
        let place =
            annotation.place.map(Self.properties)
            ?? settings.otherFile.map { "file=\(WorkflowCommand.property($0)),line=1" }
        let title = "title=" + WorkflowCommand.property(annotation.title)
        let properties = [place, title].compactMap { $0 }.joined(separator: ",")
        return "::error \(properties)::\(WorkflowCommand.data(annotation.message))\n"
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
