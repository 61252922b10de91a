import CacheSemantics
import PublicSuite
import Scenarios

/// Progress during the run, then the failures with their reasons, then a table by area.
struct TextReporter: Reporter {
    let explains: Bool
    private var suite = ""
    private var told: [ScenarioResult] = []
    /// Lines about scenarios that were rerun because they were late.
    private var late: [String] = []
    private var hasBaseline = false

    init(explains: Bool) {
        self.explains = explains
    }

    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run): start(run)
        case .scenarioFinished(let result): progress(result)
        case .runFinished(let summary): end(summary)
        }
    }

    private mutating func start(_ run: RunDescription) -> String {
        hasBaseline = run.hasBaseline
        return "\(run.count) scenarios, \(run.subject), \(run.transport)\n"
    }

    private mutating func progress(_ result: ScenarioResult) -> String {
        if isWorthTelling(result) { told.append(result) }
        if !result.lateRuns.isEmpty {
            let times = result.lateRuns.map { decimal($0, places: 1) + " s" }.joined(separator: ", ")
            late.append("  \(result.name): late by \(times)")
        }
        let mark = Self.mark(result.standing)
        if result.suite == suite { return mark }
        defer { suite = result.suite }
        return (suite.isEmpty ? "" : "\n") + result.suite + " " + mark
    }

    private func isWorthTelling(_ result: ScenarioResult) -> Bool {
        explains || (result.standing != .passed && result.standing != .skipped)
    }

    private func end(_ summary: RunSummary) -> String {
        var lines = suite.isEmpty ? [] : [""]
        for result in told { lines += [""] + story(of: result) }
        if !late.isEmpty { lines += ["", "Failed when steps came late, and was run afresh:"] + late }
        if !summary.baselineProblems.isEmpty { lines += [""] + summary.baselineProblems }
        lines += [""] + table(summary) + suiteTable(summary)
        lines += ["", summary.line]
        return lines.map { $0 + "\n" }.joined()
    }

    private func story(of result: ScenarioResult) -> [String] {
        switch result.standing {
        case .expectedFailure:
            ["EXPECTED FAILURE \(result.name): \(result.baselineReason ?? "")", "  \(result.verdict.reason)"]
        case .unexpectedPass:
            [
                "UNEXPECTED PASS \(result.name): \(result.baselineReason ?? "")",
                "  it passes now: take it out of the baseline",
            ]
        case .failed where hasBaseline:
            ["NEW FAILURE, which the baseline does not name:"] + Transcript.lines(of: result)
        default:
            Transcript.lines(of: result)
        }
    }

    private func table(_ summary: RunSummary) -> [String] {
        let total = summary.total
        let optional = [(ResultStatus.noted, "noted"), (.expectedFailure, "expected")].filter {
            total[$0.0] > 0
        }
        let heading = ["area", "passed", "failed", "skipped"] + optional.map(\.1) + ["time"]
        let rows = (summary.areas + [total]).map { area in
            [area.area, "\(area.passed)", "\(area.failed)", "\(area[.skipped])"]
                + optional.map { "\(area[$0.0])" } + [decimal(area.seconds, places: 2) + " s"]
        }
        return TextTable.lines([heading] + rows) + ["wall time " + decimal(summary.seconds, places: 2) + " s"]
    }

    /// Returns the counts of the public suite's tests in the suite's own terms.
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

    private static func mark(_ standing: ResultStatus) -> String {
        switch standing {
        case .passed: "."
        case .failed: "F"
        case .expectedFailure: "x"
        case .unexpectedPass: "P"
        case .noted: "n"
        case .skipped: "s"
        case .broken: "E"
        }
    }
}
