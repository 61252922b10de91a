import CacheSemantics
import Testing

@testable import Conformance
@testable import Scenarios

@Suite("Groups of failures")
struct FailureGroupTests {
    @Test("Failures with a rule and a cause in common are one group, and dependents join their root")
    func sharedRule() {
        let groups = FailureGroup.groups(of: [
            Self.failure("a/b/one", ["r.1", "r.2"]), Self.failure("a/b/two", ["r.2"]),
            Self.dependent("a/b/three", on: "a/b/one"), Self.dependent("a/b/four", on: "a/b/three"),
            Self.failure("a/b/five", ["r.1"], subject: "status"),
        ])
        #expect(groups.map(\.requirement) == [.rule("r.2"), .rule("r.1")])
        #expect(groups.map(\.cause) == ["source: expected origin, seen cache", "status differs"])
        #expect(groups.map { $0.results.map(\.id) } == [["a/b/one", "a/b/two"], ["a/b/five"]])
        #expect(groups.map { $0.dependents.map(\.id) } == [["a/b/three", "a/b/four"], []])
    }

    @Test("A group with a must comes before a larger one without")
    func order() {
        let groups = FailureGroup.groups(of: [
            Self.failure("a/b/one", ["r.1"], level: .should),
            Self.failure("a/b/two", ["r.1"], level: .should),
            Self.failure("a/b/three", ["r.2"]),
        ])
        #expect(groups.map(\.requirement) == [.rule("r.2"), .rule("r.1")])
    }

    @Test("Failures of scenarios that cite a sentence are grouped by that sentence, not by their rules")
    func ownSentence() {
        let citation = Citation(section: "RFC 9112 §7.1", keyword: .must, sentence: "It MUST be read.")
        var cited = Self.failure("a/b/two", ["r.1"])
        cited.grounds = [citation]
        let groups = FailureGroup.groups(of: [Self.failure("a/b/one", ["r.1"]), cited])
        #expect(groups.map(\.requirement) == [.rule("r.1"), .sentence(citation)])
        let lines = FailureSummary([cited], .standard, rerun: "").lines
        #expect(lines.contains(#"1. 1 scenario: MUST: "It MUST be read."  (RFC 9112 §7.1)"#), "\(lines)")
    }

    @Test("Dependencies that form a circle end in a group")
    func circle() {
        let groups = FailureGroup.groups(of: [
            Self.dependent("a/b/one", on: "a/b/two"), Self.dependent("a/b/two", on: "a/b/one"),
        ])
        #expect(groups.map(\.count).reduce(0, +) == 2)
    }

    @Test("A text report of a hundred failures has at most 200 lines and names every one of them")
    func length() {
        let results = (0..<100).map { number in
            Self.failure(
                "area-\(number % 20)/suite/failure-\(number)",
                ["rfc9111.4.2.fresh"],
                subject: "field \(number % 30)"
            )
        }
        var settings = ReportSettings()
        settings.rerun = "cachecheck run --filter ID"
        var reporter = TextReporter(settings)
        var summary = RunSummary()
        for result in results { summary.add(result) }
        var text = reporter.text(
            for: .runStarted(RunDescription(subject: "x", transport: "network", count: 100))
        )
        for result in results { text += reporter.text(for: .scenarioFinished(result)) }
        text += reporter.text(for: .runFinished(summary))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
        for result in results {
            #expect(text.contains("failure-\(result.id.split(separator: "-").last ?? "")"))
        }
        #expect(text.contains("cachecheck run --filter area-0/suite/failure-0\n"))
    }

    @Test("An example that is cut ends with an ellipsis, and never with a heading that has no lines")
    func excerpt() {
        var results: [ScenarioResult] = []
        for number in 0..<11 {
            var result = Self.failure("a/b/failure-\(number)", ["rfc9111.4.2.fresh"])
            result.steps = SampleRun.results[1].steps
            for _ in 1..<(2 + number % 3) { result.steps[0].mismatches.append(result.steps[0].mismatches[0]) }
            results.append(result)
        }
        let lines = FailureSummary([results[0]], .standard, rerun: "").lines
        #expect(lines.contains("       …"), "\(lines)")
        for result in results {
            let lines = FailureSummary([result], .standard, rerun: "").lines
            for (line, next) in zip(lines, lines.dropFirst()) where line == "       caller" {
                #expect(next.hasPrefix("         >"), "\(lines)")
            }
        }
    }

    private static func failure(
        _ id: String,
        _ rules: [String],
        subject: String = "source",
        level: RuleLevel = .must
    ) -> ScenarioResult {
        let mismatch = Mismatch(position: "a.yaml:1:1", subject: subject, expected: "origin", seen: "cache")
        return changed(SampleRun.result(id, "It holds", .failed([mismatch]), level: level), rules)
    }

    private static func dependent(_ id: String, on other: String) -> ScenarioResult {
        changed(SampleRun.result(id, "It holds", .dependencyFailed(on: other)), ["r.9"])
    }

    private static func changed(_ result: ScenarioResult, _ rules: [String]) -> ScenarioResult {
        var result = result
        result.rules = rules
        return result
    }
}
