import CacheSemantics
import Conformance
import Testing

@Suite("Baseline of expected failures")
struct BaselineTests {
    private let passed = SampleRun.result("a/b/c", "It holds", .passed)
    private let failed = SampleRun.result("a/b/c", "It holds", .setupFailed("no answer"))

    @Test("a line without a kind applies to every kind")
    func everyKind() throws {
        let baseline = try Baseline(text: "# known\n\na/b/c: issue 7\n", file: "known.txt")
        #expect(baseline.reason(for: failed) == "issue 7")
    }

    @Test("a line with a kind applies to that kind alone")
    func oneKind() throws {
        let baseline = try Baseline(text: "a/b/c [shared]: issue 7\r\n", file: "known.txt")
        #expect(baseline.reason(for: failed) == nil)
        #expect(
            baseline.reason(for: SampleRun.result("a/b/c", "It holds", .passed, kind: .shared)) == "issue 7"
        )
    }

    @Test("A written baseline expects the failures of its run, and keeps the reasons of the former one")
    func written() throws {
        var known = SampleRun.result("a/b/a", "It holds", .setupFailed("none"))
        known.baselineReason = "issue 7"
        let former = try Baseline(text: "a/b/a: issue 7", file: "known.txt")
        let noted = SampleRun.result("a/b/n", "It holds", .setupFailed("x"), level: .optimal)
        let text = Baseline.text(expecting: [failed, passed, known, noted], keeping: former)
        #expect(
            text.split(separator: "\n").dropFirst()
                == ["a/b/a [private]: issue 7", "a/b/c [private]: no answer"]
        )
        let written = try Baseline(text: text, file: "new.txt")
        #expect(written.reason(for: failed) == "no answer")
    }

    @Test("An expected failure counts as neither passed nor failed")
    func expectedFailure() {
        var result = failed
        result.baselineReason = "issue 7"
        var summary = RunSummary()
        summary.add(result)
        #expect(summary.exitStatus == 0)
        #expect((summary.total.passed, summary.total.failed, summary.total[.expectedFailure]) == (0, 0, 1))
    }

    @Test("an unexpected pass fails the run")
    func unexpectedPass() {
        var result = passed
        result.baselineReason = "issue 7"
        var summary = RunSummary()
        summary.add(result)
        #expect(summary.exitStatus == 1)
    }

    @Test("an id that no scenario has is reported with its line")
    func unknownId() throws {
        let baseline = try Baseline(text: "a/b/c: x\na/b/d [private]: y\n", file: "known.txt")
        #expect(
            baseline.problems(knowing: ["a/b/c"])
                == ["known.txt:2:1: UNKNOWN ID, found `a/b/d [private]`, expected the id of a scenario"]
        )
    }

    @Test("lines without a reason and repeated ids are refused, all at once")
    func malformed() {
        let error = #expect(throws: BaselineError.self) {
            try Baseline(text: "a/b/c\na/b/c: x\na/b/c: y\n: z\n", file: "known.txt")
        }
        #expect(
            error?.problems == [
                "known.txt:1:1: found `a/b/c`, expected `id: reason`",
                "known.txt:3:1: found `a/b/c` again, first on line 2",
                "known.txt:4:1: found `: z`, expected `id: reason`",
            ]
        )
    }
}
