import CacheSemantics
import Conformance
import Scenarios
import Testing

@Suite("Totals and exit status of a run")
struct RunSummaryTests {
    @Test(
        "the exit status distinguishes a failed expectation from a failed harness",
        arguments: [
            ([Verdict.passed], 0), ([.skipped(reason: "slow")], 0), ([.passed, .setupFailed("x")], 1),
            ([.dependencyFailed(on: "a")], 1), ([.harnessError("x")], 70),
            ([.harnessError("x"), .setupFailed("y")], 1),
        ]
    )
    func exitStatus(verdicts: [Verdict], expected: Int) {
        var summary = RunSummary()
        for verdict in verdicts { summary.add(SampleRun.result("a/b/c", "It holds", verdict)) }
        #expect(Int(summary.exitStatus) == expected)
    }

    @Test("an optimal scenario does not fail the run")
    func optimal() {
        var summary = RunSummary()
        summary.add(SampleRun.result("a/b/c", "It holds", .setupFailed("x"), level: .optimal))
        #expect(summary.exitStatus == 0)
        #expect(summary.total[.noted] == 1)
    }

    @Test("every result is in one count of the closing line, including optional scenarios that fail")
    func closingLine() {
        var summary = RunSummary()
        summary.add(SampleRun.result("a/b/c", "It holds", .passed))
        summary.add(SampleRun.result("a/b/d", "It holds", .setupFailed("x"), level: .optimal))
        var reporter = ReportKind.text.reporter()
        #expect(
            reporter.text(for: .runFinished(summary)).hasSuffix("1 passed, 0 failed, 0 skipped, 1 noted\n")
        )
    }

    @Test("passes of a subject without any reuse are not counted")
    func unstored() {
        var summary = RunSummary()
        summary.hasReuse = false
        summary.add(SampleRun.result("a/b/c", "It holds", .passed))
        #expect(summary.line == "0 passed, 0 failed, 0 skipped, 1 passed without any reuse")
        var reused = SampleRun.result("a/b/d", "It holds", .passed)
        var seen = CallerObservation()
        seen.source = .validated
        reused.steps = [StepRecord(number: 1, title: "GET /a", position: reused.position, startedAt: 0)]
        reused.steps[0].exchanges = [CallerExchange(method: "GET", target: "/a", fields: [], seen: seen)]
        summary.add(reused)
        #expect(summary.line == "2 passed, 0 failed, 0 skipped")
    }

    @Test("a problem of the baseline fails the run")
    func baselineProblem() {
        var summary = RunSummary()
        summary.baselineProblems = ["known.txt:2:1: unknown"]
        #expect(summary.exitStatus == 1)
    }
}
