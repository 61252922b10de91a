import CacheSemantics
import LocatedYAML
import OriginScript
import ReportFormats
import Testing

@testable import Conformance
@testable import Scenarios

@Suite("Parts of a run, and concurrent runs")
struct PartsTests {
    @Test("The parts of any division add up to the whole, and no id is in two", arguments: 1...16)
    func shards(count: Int) throws {
        let ids = (0..<500).map { "http/4.2.1/max-age/scenario-\($0)" }
        let parts = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
        for id in ids { #expect(parts.count { $0.contains(id) } == 1) }
        // A hash without mixing leaves parts empty.
        for part in parts { #expect(ids.count(where: part.contains) > 500 / count / 3) }
    }

    @Test("A part contains the same ids on every machine")
    func stable() {
        let offset: UInt64 = 0xCBF2_9CE4_8422_2325
        #expect("".stableHash == offset ^ 0xCBF2_9CE4)
    }

    @Test("A malformed part is refused", arguments: ["", "1", "0/2", "3/2", "1/0", "1/2/3", "a/b", "-1/2"])
    func noShard(text: String) {
        #expect(Shard(text) == nil)
    }

    private static func result(_ id: String, _ verdict: Verdict, rule: String = "rfc9111.4.2.fresh")
        -> ScenarioResult
    {
        var result = ScenarioResult(
            id: id,
            suite: "s",
            area: "http",
            title: "A title with <angle> | bar",
            level: .must,
            cacheKind: .shared,
            position: Position(file: "f.yaml", line: id.count, column: 1),
            verdict: verdict,
            seconds: 0.5
        )
        result.rules = [rule]
        return result
    }

    private static let mismatch = Mismatch(
        position: "f.yaml:3:4",
        subject: "source",
        expected: "validated",
        seen: "cache"
    )

    private static func report(
        _ kind: ReportKind,
        _ results: [ScenarioResult],
        baseline: Baseline = Baseline()
    ) -> String {
        var reporter = kind.reporter()
        var run = RunDescription(subject: "nginx 1", transport: "network", count: results.count)
        run.hasBaseline = baseline.isGiven
        var text = reporter.text(for: .runStarted(run))
        var summary = RunSummary()
        for result in results {
            var result = result
            result.baselineReason = baseline.reason(for: result)
            summary.add(result)
            text += reporter.text(for: .scenarioFinished(result))
        }
        summary.baselineProblems = baseline.problems(
            knowing: Dictionary(results.map { ($0.id, Set(CacheKind.allCases)) }) { $0.union($1) }
        )
        return text + reporter.text(for: .runFinished(summary))
    }

    @Test("Merged reports equal those of the whole run")
    func merge() throws {
        let results = [
            Self.result("a", .passed), Self.result("bb", .skipped(reason: "it waits")),
            Self.result("ccc", .setupFailed("no answer")), Self.result("dddd", .dependencyFailed(on: "ccc")),
        ]
        let parts = [Array(results[..<2]), Array(results[1...])].map { Self.report(.json, $0) }
        let logs = try parts.map { try RunLog(text: $0, file: "part.json") }
        let merged = try #require(try RunLog.merged(logs))
        var text = TextReporter(ReportSettings())
        var output = ""
        let summary = merged.replay { output += text.text(for: $0) }
        #expect(output.hasPrefix("4 scenarios, nginx 1, network\n"))
        #expect(merged.results.map(\.name) == results.map(\.name))
        #expect(merged.results.map(\.verdict) == results.map(\.verdict))
        #expect(summary.exitStatus == 1)
    }

    @Test(
        "Reports are merged only if they are all shards of one run, or whole runs",
        arguments: [
            (["1/2", "2/2"], nil), (["2/2", "1/2"], nil), (["1/1"], nil), ([nil, nil], nil),
            (["1/3", "3/3"], "The report of shard 2/3 is missing."),
            (["1/2", "1/2"], "The report of shard 1/2 is given twice."),
            (["1/2", "2/2", "2/2"], "The report of shard 2/2 is given twice."),
            (["1/2", "2/3"], "The reports are of shards of different runs: 1/2 and 2/3."),
            (["1/2", nil], "The reports are of shards, such as 1/2, and of whole runs."),
        ] as [([String?], String?)]
    )
    func shards(of parts: [String?], problem: String?) throws {
        let logs = try parts.enumerated().map { number, shard in
            var reporter = ReportKind.json.reporter()
            var run = RunDescription(subject: "nginx 1", transport: "network", count: 1)
            run.shard = shard.flatMap(Shard.init)
            var text = reporter.text(for: .runStarted(run))
            text += reporter.text(for: .scenarioFinished(Self.result("\(number)", .passed)))
            return try RunLog(text: text + reporter.text(for: .runFinished(RunSummary())), file: "part.json")
        }
        if let problem {
            #expect { _ = try RunLog.merged(logs) } throws: { "\($0)" == problem }
        } else {
            let merged = try #require(try RunLog.merged(logs))
            #expect(merged.results.count == parts.count)
            #expect(merged.description.shard == nil)
        }
    }

    @Test("A failure keeps its reason, and what it cites, through a merge")
    func mergedFailure() throws {
        var failed = Self.result("a", .failed([Self.mismatch]))
        var step = StepRecord(number: 1, title: "GET /a", position: failed.position, startedAt: 0)
        step.mismatches = [Self.mismatch]
        failed.steps = [step]
        failed.grounds = [
            Citation(section: "RFC 9111 §4.4", keyword: .must, sentence: "invalidate the target URI")
        ]
        failed.lateRuns = [0.5, 2]
        let log = try RunLog(text: Self.report(.json, [failed]), file: "part.json")
        #expect(log.results.first?.verdict == .failed([Self.mismatch]))
        #expect(log.results.first?.grounds == failed.grounds)
        #expect(log.results.first?.lateRuns == failed.lateRuns)
    }

    @Test(
        "A file that is not a report is refused",
        arguments: [
            "", "{}", "nonsense", "{\"event\":\"run-started\"}\n",
            "{\"event\":\"scenario-finished\",\"id\":\"a\"}",
        ]
    )
    func noReport(text: String) {
        #expect(throws: YAMLProblems.self) { _ = try RunLog(text: text, file: "r.json") }
    }

    @Test("A problem in a report is reported with its line and column")
    func place() throws {
        let begin = try #require(Self.report(.json, []).split(separator: "\n").first)
        #expect(
            throws: YAMLProblems([
                Problem(
                    at: Position(file: "r.json", line: 3, column: 10),
                    found: "\"nothing\"",
                    expected: "a JSON value"
                )
            ])
        ) {
            _ = try RunLog(text: begin + "\n\n{\"event\":nothing}\n", file: "r.json")
        }
    }

    @Test("A new failure, an unexpected pass, an unknown id and an expected failure are distinguished")
    func baseline() throws {
        let baseline = try Baseline(text: "known: a reason\nmended: another\ngone: a third\n", file: "b.txt")
        let text = Self.report(
            .text,
            [
                Self.result("new", .failed([Self.mismatch])), Self.result("known", .failed([Self.mismatch])),
                Self.result("mended", .passed),
            ],
            baseline: baseline
        )
        #expect(text.contains("NEW FAILURE, not in the baseline:\nFAILED new [shared]"))
        #expect(text.contains("EXPECTED FAILURE known [shared]: a reason"))
        #expect(text.contains("UNEXPECTED PASS mended [shared]: another"))
        #expect(text.contains("b.txt:3:1: UNKNOWN ID, found `gone`, expected the id of a scenario"))
    }

    @Test("SARIF has a result at the line of each expectation that did not hold")
    func sarif() throws {
        let text = Self.report(
            .sarif,
            [Self.result("a", .failed([Self.mismatch])), Self.result("b", .passed)]
        )
        let document = try YAMLNode.parse(json: text, file: "sarif")
        let run = try #require(document.value(of: "runs")?.elements?.first)
        #expect(document.value(of: "version")?.scalarText == "2.1.0")
        let results = try #require(run.value(of: "results")?.elements)
        #expect(results.count == 1)
        #expect(results[0].value(of: "ruleId")?.scalarText == "rfc9111.4.2.fresh")
        #expect(results[0].value(of: "level")?.scalarText == "error")
        let place = results[0].value(of: "locations")?.elements?.first?.value(of: "physicalLocation")
        #expect(place?.value(of: "artifactLocation")?.value(of: "uri")?.scalarText == "f.yaml")
        #expect(place?.value(of: "region")?.value(of: "startLine")?.scalarText == "3")
        #expect(place?.value(of: "region")?.value(of: "startColumn")?.scalarText == "4")
    }

    @Test("A summary in Markdown is not broken by text from a server")
    func markdown() {
        let text = Self.report(.markdown, [Self.result("a", .failed([Self.mismatch]))])
        #expect(text.hasPrefix("## CacheCheck: 0 passed, 1 failed, 0 skipped\n"))
        #expect(text.contains("| http | 0 | 1 | 0 | 0 |"))
        #expect(text.contains("      A title with <angle> | bar"))
    }

    @Test(
        "A summary in Markdown groups failures by rule, gives the reasons of skips, and names every failure"
    )
    func markdownSummary() throws {
        let failures = (1...201).map { Self.result("failure-\($0)", .failed([Self.mismatch])) }
        let skipped = [
            Self.result("s", .skipped(reason: "It waits | long.")),
            Self.result("t", .skipped(reason: "No *.")),
        ]
        let text = Self.report(.markdown, failures + skipped + [Self.result("u", .skipped(reason: "No *."))])
        let sentence = try #require(RuleCatalogue.standard["rfc9111.4.2.fresh"]?.sentence)
        let link = "[RFC 9111 §4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)"
        let heading = "| scenarios | requirement | how they fail | first |\n|---:|---|---|---|\n"
        #expect(text.contains("### Failures\n\n" + heading + "| 201 | \(sentence) (\(link)) | "))
        #expect(text.contains("Skipped: 3</summary>"))
        #expect(text.contains("|---:|---|\n| 2 | No \\*. |\n| 1 | It waits \\| long. |\n"))
        #expect(text.contains("<summary>… and 1 more</summary>\n\n    failed: "))
        for number in 1...201 { #expect(text.contains("failure-\(number) ["), "\(number)") }
    }

    @Test("A matrix scores by level, with and without masked scenarios, and lists disagreements on each rule")
    func matrix() throws {
        var first = MatrixEntry(name: "one")
        first.results = [
            Self.result("a", .passed), Self.result("b", .passed), Self.result("c", .setupFailed("x")),
        ]
        var second = MatrixEntry(name: "two")
        second.results = [
            Self.result("a", .failed([Self.mismatch])), Self.result("b", .passed),
            Self.result("c", .skipped(reason: "x")),
        ]
        var absent = MatrixEntry(name: "three")
        absent.obstacle = "it is not installed"
        let matrix = Matrix([first, second, absent])
        #expect(matrix.score(of: first, .must).text == "2 of 2")
        #expect(matrix.score(of: first, .must).maskedText == "2 of 3")
        #expect(matrix.score(of: second, .must).text == "1 of 2")
        #expect(matrix.differences.map(\.firstOnly) == [["a"]])
        #expect(matrix.disagreements.map(\.rule) == ["rfc9111.4.2.fresh"])
        #expect(matrix.disagreements.first?.holders == ["one"])
        let sentence = try #require(RuleCatalogue.standard["rfc9111.4.2.fresh"]?.sentence)
        for format in PageFormat.allCases {
            let text = matrix.report(format, date: "2026-01-01")
            #expect(text.contains("2026-01-01"), "\(format)")
            #expect(text.contains("it is not installed"), "\(format)")
            #expect(format == .html || format == .json || text.contains(sentence), "\(format)")
        }
        _ = try YAMLNode.parse(json: matrix.report(.json, date: "2026-01-01"), file: "m")
    }

    @Test(
        "A scenario that cites a section counts for the rules of that section only",
        arguments: [
            (["RFC 9111 §4.2"], ["rfc9111.4.2.fresh"]),
            (["RFC 9111 §2"], ["rfc9111.2.key"]),
            (["RFC 9111 §4.2", "RFC 9111 §2"], ["rfc9111.2.key", "rfc9111.4.2.fresh"]),
            // The sentence is not one of its rules.
            (["RFC 9111 §4.4"], ["rfc9111.2.key", "rfc9111.4.2.fresh"]),
            ([], ["rfc9111.2.key", "rfc9111.4.2.fresh"]),
        ]
    )
    func disagreementsByCitation(_ sections: [String], _ rules: [String]) {
        let entries = [Verdict.passed, .failed([Self.mismatch])].enumerated().map { number, verdict in
            var result = Self.result("a", verdict)
            result.rules = ["rfc9111.2.key", "rfc9111.4.2.fresh"]
            result.grounds = sections.map { Citation(section: $0, keyword: .must, sentence: "s") }
            var entry = MatrixEntry(name: "\(number)")
            entry.results = [result]
            return entry
        }
        #expect(Matrix(entries).disagreements.map(\.rule) == rules)
    }

    @Test(
        "A matrix names the section of the sentence that a level rests on",
        arguments: [
            ([], ["rfc9111.4.2.fresh"], "RFC 9111 §4.2"),
            // The rule's sentence is one of another specification.
            ([], ["rfc9111.3.1.connection-listed"], "RFC 9110 §7.6.1"),
            ([], ["rfc9111.4.2.2.ten-percent", "rfc9111.4.2.fresh"], "RFC 9111 §4.2"),
            ([RequirementKeyword.must], ["rfc9111.4.2.fresh"], "S0"),
            ([.definition, .mustNot], ["rfc9111.4.2.fresh"], "S1"),
            ([.should, .definition], ["rfc9111.4.2.fresh"], "S1"),
        ]
    )
    func deviationSource(_ keywords: [RequirementKeyword], _ rules: [String], _ source: String) {
        var result = Self.result("a", .failed([Self.mismatch]))
        result.rules = rules
        result.grounds = keywords.enumerated().map {
            Citation(section: "S\($0.offset)", keyword: $0.element, sentence: "s")
        }
        var entry = MatrixEntry(name: "one")
        entry.results = [result]
        #expect(Matrix([entry]).deviations.map(\.source) == [source])
    }
}
