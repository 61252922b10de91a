import CacheSemantics
import Conformance
import LocatedYAML
import Testing

@Suite("Annotations and code scanning")
struct AnnotationTests {
    /// Returns the lines of a report on failures, each of a different rule.
    private func lines(_ failures: [ScenarioResult], _ settings: ReportSettings = ReportSettings())
        -> [String]
    {
        var reporter = ReportKind.github.reporter(settings)
        var summary = RunSummary()
        for failure in failures { summary.add(failure) }
        let run = RunDescription(subject: "s", transport: "network", count: failures.count)
        let events = [.runStarted(run)] + failures.map(RunEvent.scenarioFinished) + [.runFinished(summary)]
        return events.map { reporter.text(for: $0) }.joined().split(separator: "\n").map(String.init)
    }

    private func failure(_ id: String, rule: String) -> ScenarioResult {
        var result = SampleRun.result(id, "It holds", .setupFailed("no answer"))
        result.rules = [rule]
        return result
    }

    @Test("A group is one annotation, the largest first")
    func groups() {
        let failures = ["a/b/1", "a/b/2", "a/b/3"].map { failure($0, rule: "rfc9111.4.2.fresh") }
        let lines = lines([failure("a/b/0", rule: "ours")] + failures)
        #expect(lines.count == 3)
        #expect(
            lines[0].contains(
                "title=A response is fresh while its freshness lifetime exceeds its current age. (RFC 9111 §4.2)"
            )
        )
        #expect(
            lines[0].contains(
                "::3 scenarios: setup-failed%0Aa/b/1 [private]%0Aa/b/2 [private]%0Aa/b/3 [private]"
            )
        )
        #expect(lines[2] == "::notice title=cachecheck::0 passed, 4 failed, 0 skipped (s)")
    }

    @Test("There are at most ten annotations, of which one counts what is left")
    func most() {
        let ten = (0..<9).map { failure("a/b/\($0)", rule: "rule.\($0)") }
        #expect(lines(ten).count == 10)
        let lines = lines(ten + [failure("a/b/x", rule: "rule.x")])
        #expect(lines.count == 10)
        #expect(lines[8].hasPrefix("::error title=and more::2 more groups"))
    }

    @Test("An annotation marks the user's scenario, or else the workflow, or else nothing")
    func places() {
        let failures = [failure("a/b/c", rule: "ours")]
        var settings = ReportSettings()
        #expect(lines(failures)[0].hasPrefix("::error title="))
        settings.otherFile = ".github/workflows/ci.yml"
        #expect(lines(failures, settings)[0].hasPrefix("::error file=.github/workflows/ci.yml,line=1,title="))
        settings.isOwnFile = { $0 == "scenarios/a/b.yaml" }
        #expect(
            lines(failures, settings)[0].hasPrefix("::error file=scenarios/a/b.yaml,line=12,col=5,title=")
        )
    }

    @Test(
        "A rule in SARIF has its sentence, its quotation and the URL of its section; paths are relative to the repository"
    )
    func sarif() throws {
        let text = SampleRun.report(.sarif)
        #expect(text.contains(#""helpUri":"https://www.rfc-editor.org/rfc/rfc9111#section-4.2""#))
        #expect(text.contains(#""uri":"scenarios/http/4.2.1/max-age.yaml","uriBaseId":"%SRCROOT%""#))
        #expect(text.contains(#"RFC 9111 §4.2: \"response_is_fresh"#))
        _ = try YAMLNode.parse(json: text, file: "sarif")
    }
}
