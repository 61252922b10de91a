import CacheSemantics
import LocatedYAML
import Scenarios

/// A page of Markdown, which GitHub can show as the summary of a step.
///
/// It has the totals, the groups of failures, the reasons of skips, a table by area, then each failure.
struct MarkdownReporter: PageReporter {
    /// GitHub accepts a summary of up to 1 MiB, so that failures after these are listed by id.
    private static let mostInFull = 200
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
        for result in failures.prefix(Self.mostInFull) { lines += details(result) }
        lines += rest(failures.dropFirst(Self.mostInFull))
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
        return [
            "", "<details><summary>Skipped: \(count)</summary>", "", "| scenarios | reason |", "|---:|---|",
        ]
            + sorted.map { "| \($0.count) | \(Self.prose($0.reason)) |" } + ["", "</details>"]
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
        let summary = Markup.text("\(result.verdict.name): \(result.name)")
        // Indented by four spaces, so that nothing that a server sent is read as Markdown.
        return ["", "<details><summary>\(summary)</summary>", ""] + story.map { "    " + $0 } + [
            "", "</details>",
        ]
    }

    private func rest(_ failures: ArraySlice<ScenarioResult>) -> [String] {
        if failures.isEmpty { return [] }
        return ["", "<details><summary>… and \(failures.count) more</summary>", ""]
            + failures.map { "    \($0.verdict.name): \($0.name)" } + ["", "</details>"]
    }

    private static func cell(_ text: String) -> String {
        Markup.text(Transcript.printable(text)).replacing("|", with: "\\|")
    }

    /// Returns a cell's text in which an asterisk, such as that of `Vary: *`, does not begin emphasis.
    private static func prose(_ text: String) -> String { cell(text).replacing("*", with: "\\*") }
}
