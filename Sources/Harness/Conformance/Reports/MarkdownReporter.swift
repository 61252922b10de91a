import CacheSemantics
import LocatedYAML
import Scenarios

/// A page of Markdown, which GitHub can show as the summary of a step: the totals, then the failures.
struct MarkdownReporter: PageReporter {
    /// GitHub accepts a summary of up to 1 MiB.
    private static let longestList = 200
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func includes(_ result: ScenarioResult) -> Bool { result.standing.failsRun }

    func page(_ summary: RunSummary) -> String {
        var lines = [
            "## CacheCheck: \(summary.line)", "",
            "\(Self.cell(run.subject)) · \(run.transport) · \(decimal(summary.seconds, places: 2)) s", "",
            "| area | passed | failed | skipped | noted |", "|---|---:|---:|---:|---:|",
        ]
        lines += summary.areas.map {
            "| \(Self.cell($0.area)) | \($0.passed) | \($0.failed) | \($0[.skipped]) | \($0[.noted]) |"
        }
        for problem in summary.baselineProblems { lines += ["", "- \(Self.cell(problem))"] }
        for result in results.prefix(Self.longestList) { lines += details(result) }
        if results.count > Self.longestList {
            lines += ["", "… and \(results.count - Self.longestList) more."]
        }
        return lines.map { $0 + "\n" }.joined()
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

    private static func cell(_ text: String) -> String {
        Markup.text(Transcript.printable(text)).replacing("|", with: "\\|")
    }
}
