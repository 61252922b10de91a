import CacheSemantics
import LocatedYAML
import ReportFormats
import Scenarios

/// A page of Markdown, which GitHub can show as the summary of a step.
///
/// It has the totals, the groups of failures, the reasons of skips, a table by area, then each failure.
struct MarkdownReporter: PageReporter {
    /// GitHub accepts a summary of up to 1 MiB, so that failures after these are listed by id.
    private static let maximumDetailed = 200
    var settings = ReportSettings()
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func includes(_ result: ScenarioResult) -> Bool {
        result.standing.failsRun || result.standing == .skipped
    }

    func page(_ summary: RunSummary) -> String {
        let failures = results.filter(\.standing.failsRun)
        var lines = [
            "## CacheCheck: \(summary.line)", "",
            "\(Self.cell(run.subject)) · \(run.transport) · \(decimal(summary.seconds, places: 2)) s",
        ]
        for problem in summary.baselineProblems { lines += ["", "- \(Self.cell(problem))"] }
        lines += groups(of: failures) + skips() + areas(summary)
        for result in failures.prefix(Self.maximumDetailed) { lines += details(result) }
        lines += rest(failures.dropFirst(Self.maximumDetailed))
        return lines.map { $0 + "\n" }.joined()
    }

    private func groups(of failures: [ScenarioResult]) -> [String] {
        guard let first = failures.first else { return [] }
        let table = ["| scenarios | requirement | how they fail | first |", "|---:|---|---|---|"]
        let rerun =
            settings.rerun.isEmpty
            ? [] : ["", "To see one in full: `\(settings.rerun.replacing("ID", with: first.id))`"]
        return ["", "### Failures", ""] + table + FailureGroup.groups(of: failures).map(row) + rerun
    }

    private func row(_ group: FailureGroup) -> String {
        let first = group.results.first.map { "<code>\(Self.cell($0.name))</code>" } ?? ""
        let cause = Self.prose(group.cause + group.following)
        return "| \(group.count) | \(requirement(of: group)) | \(cause) | \(first) |"
    }

    private func requirement(of group: FailureGroup) -> String {
        let heading = group.requirement.heading(in: settings.catalogue)
        guard let name = heading.source.map(Self.cell) else { return Self.prose(heading.sentence) }
        return Self.prose(heading.sentence) + " (" + (heading.link.map { "[\(name)](\($0))" } ?? name) + ")"
    }

    private func skips() -> [String] {
        var reasons = SkipReasons()
        for result in results { reasons.add(result) }
        let sorted = reasons.sorted
        if sorted.isEmpty { return [] }
        let count = sorted.map(\.count).reduce(0, +)
        let rows = sorted.map { "| \($0.count) | \(Self.prose($0.reason)) |" }
        return folded("Skipped: \(count)", ["| scenarios | reason |", "|---:|---|"] + rows)
    }

    private func areas(_ summary: RunSummary) -> [String] {
        let heading = ["", "| area | passed | failed | skipped | noted |", "|---|---:|---:|---:|---:|"]
        return heading
            + summary.areas.map {
                "| \(Self.cell($0.area)) | \($0.passed) | \($0.failed) | \($0[.skipped]) | \($0[.noted]) |"
            }
    }

    private func details(_ result: ScenarioResult) -> [String] {
        let story =
            result.standing == .unexpectedPass
            ? ["passes, although the baseline expects a failure: \(result.baselineReason ?? "")"]
            : Transcript.lines(of: result)
        // Indented by four spaces, so that nothing that a server sent is read as Markdown.
        return folded("\(result.verdict.name): \(result.name)", story.map { "    " + $0 })
    }

    private func rest(_ failures: ArraySlice<ScenarioResult>) -> [String] {
        if failures.isEmpty { return [] }
        return folded(
            "… and \(failures.count) more",
            failures.map { "    \($0.verdict.name): \($0.name)" }
        )
    }

    /// Returns lines that a click on the summary shows.
    private func folded(_ summary: String, _ lines: [String]) -> [String] {
        ["", "<details><summary>\(Markup.text(summary))</summary>", ""] + lines + ["", "</details>"]
    }

    private static func cell(_ text: String) -> String { Markup.cell(Transcript.printable(text)) }

    private static func prose(_ text: String) -> String { Markup.prose(Transcript.printable(text)) }
}
