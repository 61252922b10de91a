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

    @Test(
        "A baseline that a part of the scenarios writes keeps the lines of the others, and no line of an unknown id"
    )
    func othersKept() throws {
        let former = try Baseline(
            text: """
                a/b/other [shared]: issue 8 (until 2027-01-31)
                a/b/both: issue 9
                a/b/unknown [shared]: gone
                a/b/passed [private]: it passes now
                """,
            file: "known.txt"
        )
        let others: Set = [
            "a/b/other [private]", "a/b/other [shared]", "a/b/both [private]", "a/b/third [private]",
        ]
        let text = Baseline.text(expecting: [failed], keeping: former, others: others)
        #expect(
            text.split(separator: "\n").dropFirst() == [
                "a/b/both [private]: issue 9", "a/b/c [private]: no answer",
                "a/b/other [shared]: issue 8 (until 2027-01-31)",
            ]
        )
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

    @Test(
        "A failure is expected until its date, and a later one is a problem",
        arguments: [
            ("issue 7 (until 2027-01-31)", "2027-01-31", true),
            ("issue 7 (until 2027-01-31)", "2027-02-01", false),
            ("issue 7 (until 2028-02-29)", "2027-12-31", true),
            ("until the next release", "2099-01-01", true),
        ]
    )
    func expiry(reason: String, today: String, isExpected: Bool) throws {
        let baseline = try Baseline(text: "a/b/c: \(reason)", file: "known.txt", today: today)
        #expect(baseline.reason(for: failed) == (isExpected ? reason : nil))
        let problem = "known.txt:1:1: EXPIRED on 2027-01-31, found `a/b/c`, expected a later date or no line"
        #expect(baseline.problems(knowing: ["a/b/c": [.private]]) == (isExpected ? [] : [problem]))
    }

    @Test(
        "A date that is none is refused with its place",
        arguments: ["2027-02-29", "2027-13-01", "31.1.2027", "2027-1-1", "", "soon"]
    )
    func wrongDate(date: String) {
        let problem = "known.txt:1:1: found `until \(date)`, expected a date such as 2027-01-31"
        #expect {
            try Baseline(text: "a/b/c: issue 7 (until \(date))", file: "known.txt")
        } throws: { "\($0)" == problem }
    }

    @Test("A written baseline keeps a date, but not one that is past")
    func writtenDates() throws {
        for (today, line) in [
            ("2027-01-31", "a/b/c [private]: i (until 2027-01-31)"), ("2027-02-01", "a/b/c [private]: i"),
        ] {
            let former = try Baseline(text: "a/b/c: i (until 2027-01-31)", file: "known.txt", today: today)
            #expect(
                Baseline.text(expecting: [failed], keeping: former).split(separator: "\n").last == line[...]
            )
        }
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
            baseline.problems(knowing: ["a/b/c": [.private]])
                == ["known.txt:2:1: UNKNOWN ID, found `a/b/d [private]`, expected the id of a scenario"]
        )
    }

    @Test("A kind of cache that the scenario is not run with is reported with its line")
    func unknownKind() throws {
        let text = "a/b/c [shared]: x\na/b/c [share]: x\na/b/c [private] [shared]: x\na/b/c [private]: x\n"
        let baseline = try Baseline(text: text + "a/b/d [shared]: x", file: "known.txt")
        let problem = { (line: Int, name: String) in
            "known.txt:\(line):1: UNKNOWN KIND OF CACHE, found `\(name)`, expected `a/b/c [private]`"
        }
        #expect(
            baseline.problems(knowing: ["a/b/c": [.private], "a/b/d": [.private, .shared]]) == [
                problem(1, "a/b/c [shared]"), problem(2, "a/b/c [share]"),
                problem(3, "a/b/c [private] [shared]"),
            ]
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
