import CacheSemantics
import PublicSuite
import Scenarios

/// A report for people: marks as results arrive, then failures, why scenarios were skipped, and a table by area.
///
/// Up to ten failures are shown in full. More are grouped by rule and cause, with an example for each group. `explains`
/// shows every result in full instead, passes too.
struct TextReporter: Reporter {
    private static let maximumDetailed = 10
    private static let marksPerLine = 80
    private static let maximumReasons = 8
    private let settings: ReportSettings
    private var run = RunDescription(subject: "", transport: "", count: 0)
    private var finished = 0
    private var listed: [ScenarioResult] = []
    private var skips = SkipReasons()
    /// Lines about scenarios that were rerun.
    private var late: [String] = []
    /// Lines about scenarios that failed only when run concurrently.
    private var concurrencyFailures: [String] = []

    init(_ settings: ReportSettings) {
        self.settings = settings
    }

    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run): start(run)
        case .scenarioFinished(let result): progress(result)
        case .runFinished(let summary): end(summary)
        }
    }

    private mutating func start(_ run: RunDescription) -> String {
        self.run = run
        if settings.isQuiet { return "" }
        let legend = ResultStatus.allCases.map { "\(mark($0)) \(HTMLReporter.word($0))" }
        return "\(run.countText), \(run.subject), \(run.transport)\n\(legend.joined(separator: "  "))\n"
    }

    private mutating func progress(_ result: ScenarioResult) -> String {
        note(result)
        finished += 1
        if settings.isQuiet { return "" }
        let mark = mark(result.standing)
        return finished % Self.marksPerLine == 0 ? "\(mark)  \(finished)/\(run.count)\n" : mark
    }

    private mutating func note(_ result: ScenarioResult) {
        skips.add(result)
        if settings.explains || (result.standing != .passed && result.standing != .skipped) {
            listed.append(result)
        }
        if !result.lateRuns.isEmpty {
            let times = result.lateRuns.map { decimal($0, places: 1) + " s" }.joined(separator: ", ")
            late.append("  \(result.name): late by \(times)")
        }
        if let former = result.concurrentVerdict {
            concurrencyFailures.append("  \(result.name): \(former.reason); alone: \(result.verdict.name)")
        }
    }

    private func end(_ summary: RunSummary) -> String {
        var lines = finished % Self.marksPerLine == 0 || settings.isQuiet ? [] : [""]
        lines += stories() + (settings.isQuiet ? [] : skipped())
        if !late.isEmpty { lines += ["", "Failed while steps ran late, and rerun:"] + late }
        if !concurrencyFailures.isEmpty, !settings.isQuiet {
            lines += ["", "Failed only when run concurrently:"] + concurrencyFailures
        }
        if !summary.baselineProblems.isEmpty { lines += [""] + summary.baselineProblems }
        if !settings.isQuiet { lines += [""] + table(summary) + suiteTable(summary) }
        lines += lines.isEmpty ? [] : [""]
        lines.append(colored(summary.line, summary.exitStatus == 0 ? .green : .red))
        return lines.map { $0 + "\n" }.joined()
    }

    private func mark(_ standing: ResultStatus) -> String {
        switch standing {
        case .passed: "."
        case .failed: colored("F", .red)
        case .expectedFailure: colored("x", .yellow)
        case .unexpectedPass: colored("P", .red)
        case .noted: colored("n", .yellow)
        case .skipped: "s"
        case .broken: colored("E", .red)
        }
    }

    /// Select Graphic Rendition of ECMA-48.
    private enum Color: Int {
        case red = 31
        case green
        case yellow
    }

    private func colored(_ text: String, _ color: Color) -> String {
        settings.isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

// MARK: - Failures

extension TextReporter {
    /// Whether there are too many failures to show each.
    private var isGrouped: Bool {
        !settings.explains && listed.count(where: \.standing.failsRun) > Self.maximumDetailed
    }

    /// Returns the lines about single results: everything, a few in full, or groups.
    private func stories() -> [String] {
        if settings.explains { return listed.flatMap { [""] + story(of: $0) } }
        let failures = listed.filter(\.standing.failsRun)
        if isGrouped { return FailureSummary(failures, settings.catalogue, rerun: settings.rerun).lines }
        let others = listed.filter { !$0.standing.failsRun }
        if failures.count + others.count <= Self.maximumDetailed {
            return listed.flatMap { [""] + story(of: $0) }
        }
        return failures.flatMap { [""] + story(of: $0) }
            + ["", "Results that do not fail the run are only counted below; use --explain to list them."]
    }

    private func story(of result: ScenarioResult) -> [String] {
        switch result.standing {
        case .expectedFailure:
            ["EXPECTED FAILURE \(result.name): \(result.baselineReason ?? "")", "  \(result.verdict.reason)"]
        case .unexpectedPass:
            [
                "UNEXPECTED PASS \(result.name): \(result.baselineReason ?? "")",
                "  It passes now: remove it from the baseline.",
            ]
        case .failed where run.hasBaseline:
            ["NEW FAILURE, not in the baseline:"] + Transcript.lines(of: result)
        default:
            Transcript.lines(of: result)
        }
    }

    /// Returns the reasons for which scenarios were skipped, the most frequent first.
    private func skipped() -> [String] {
        let sorted = skips.sorted
        guard !sorted.isEmpty else { return [] }
        var lines =
            ["", "Skipped:"] + sorted.prefix(Self.maximumReasons).map { "  \($0.count)  \($0.reason)" }
        if sorted.count > Self.maximumReasons {
            let rest = sorted.dropFirst(Self.maximumReasons)
            lines.append(
                "  \(rest.map(\.count).reduce(0, +))  for \(rest.count) other reasons, which other reports list"
            )
        }
        return lines
    }
}

// MARK: - Tables

extension TextReporter {
    private func table(_ summary: RunSummary) -> [String] {
        let total = summary.total
        let optional = [(ResultStatus.noted, "noted"), (.expectedFailure, "expected")].filter {
            total[$0.0] > 0
        }
        let heading = ["area", "passed", "failed", "skipped"] + optional.map(\.1) + ["time"]
        // The areas of many failures would hide the groups; other reports list all.
        let areas = isGrouped ? summary.areas.filter { $0.failed > 0 } : summary.areas
        let rows = (areas + [total]).map { area in
            [area.area, "\(area.passed)", "\(area.failed)", "\(area[.skipped])"]
                + optional.map { "\(area[$0.0])" } + [decimal(area.seconds, places: 2) + " s"]
        }
        return TextTable.lines([heading] + rows) + [wallTime(summary)]
    }

    private func wallTime(_ summary: RunSummary) -> String {
        let text = "wall time " + decimal(summary.seconds, places: 2) + " s"
        return summary.total.seconds > summary.seconds
            ? text + "; the times of areas are sums over scenarios that ran concurrently" : text
    }

    /// Returns the counts of the public suite's tests in its own terms.
    private func suiteTable(_ summary: RunSummary) -> [String] {
        let kinds: [(RuleLevel, SuiteTest.Kind)] = [
            (.must, .required), (.optimal, .optimal), (.check, .check),
        ]
        let lines = kinds.compactMap { level, kind -> String? in
            guard let counts = summary.suiteClasses[level] else { return nil }
            let parts = SuiteClass.allCases.compactMap { name in
                counts[name].map { "\($0) \(name.rawValue)" }
            }
            return "cache-tests \(kind.rawValue): " + parts.joined(separator: ", ")
        }
        return lines.isEmpty ? [] : [""] + lines
    }
}
