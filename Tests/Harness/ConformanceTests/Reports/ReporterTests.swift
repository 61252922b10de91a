import Conformance
import Testing

@Suite("Reports")
struct ReporterTests {
    @Test("each format equals its golden file", arguments: ReportKind.allCases)
    func golden(kind: ReportKind) {
        Golden.expect(SampleRun.report(kind), equals: "sample.\(kind.rawValue)")
    }

    @Test("--explain adds the findings of passing scenarios to the text report")
    func explains() {
        let text = SampleRun.report(.text, explains: true)
        #expect(text.contains("RFC 9111 §4.2 held: age 59 s, lifetime 60 s from max-age (rfc9111.4.2.fresh)"))
        #expect(!SampleRun.report(.text).contains("age 59 s, lifetime 60 s"))
    }

    @Test("no line of a report contains a control character", arguments: ReportKind.allCases)
    func control(kind: ReportKind) {
        #expect(!SampleRun.report(kind).unicodeScalars.contains("\u{1}"))
    }

    private func text(_ settings: ReportSettings, _ events: [RunEvent] = SampleRun.events) -> String {
        var reporter = ReportKind.text.reporter(settings)
        return events.map { reporter.text(for: $0) }.joined()
    }

    private static let last = "1 passed, 5 failed, 1 skipped, 1 noted, 1 expected failure, 1 baseline problem"

    @Test(
        "A quiet text report has the failures and the last line, without progress, table and reasons of skips"
    )
    func quiet() {
        var settings = ReportSettings()
        settings.isQuiet = true
        let text = text(settings)
        #expect(text.hasPrefix("\nFAILED http/4.2.1/max-age/boundary"), "\(text)")
        #expect(text.hasSuffix("\n\n\(Self.last)\n"))
        for part in ["wall time", "Skipped:", "harness errors\n", "10/10"] { #expect(!text.contains(part)) }
    }

    @Test("A quiet text report of a run that passes is one line")
    func quietPass() {
        var settings = ReportSettings()
        settings.isQuiet = true
        var summary = RunSummary()
        summary.add(SampleRun.results[0])
        let events = [SampleRun.events[0], .scenarioFinished(SampleRun.results[0]), .runFinished(summary)]
        #expect(text(settings, events) == "1 passed, 0 failed, 0 skipped\n")
    }

    @Test(
        "Times of areas that add up to more than the run took are explained",
        arguments: [(0.6, true), (0.4, false)]
    )
    func times(seconds: Double, isExplained: Bool) {
        var result = SampleRun.results[0]
        result.seconds = seconds
        var summary = RunSummary()
        summary.add(result)
        summary.seconds = 0.5
        let text = text(
            ReportSettings(),
            [SampleRun.events[0], .scenarioFinished(result), .runFinished(summary)]
        )
        #expect(text.contains("wall time 0.50 s; the times of areas are sums over scenarios") == isExplained)
    }

    @Test("Colours mark failures and the last line, and only where they are asked for")
    func colors() {
        var settings = ReportSettings()
        #expect(!text(settings).contains("\u{1B}"))
        settings.isColored = true
        #expect(text(settings).contains("\n.\u{1B}[31mF\u{1B}[0m"))
        #expect(text(settings).hasSuffix("\u{1B}[31m\(Self.last)\u{1B}[0m\n"))
    }

    @Test("JUnit's counts equal the numbers of its elements")
    func junitCounts() {
        let xml = SampleRun.report(.junit)
        #expect(
            xml.contains(
                "<testsuites name=\"cachecheck\" tests=\"10\" failures=\"3\" errors=\"3\" skipped=\"3\""
            )
        )
        #expect(xml.split(separator: "<failure ").count - 1 == 3)
        #expect(xml.split(separator: "<error ").count - 1 == 3)
        #expect(xml.split(separator: "<skipped ").count - 1 == 3)
    }

    @Test("TAP numbers its points from 1 to the plan")
    func tapPlan() {
        let lines = SampleRun.report(.tap).split(separator: "\n")
        let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        #expect(points.count == 10)
        #expect(lines.contains("1..10"))
    }
}
