import CacheSemantics
import JSON
import LocatedYAML
import Scenarios

/// SARIF 2.1.0: a result at the line of each expectation that did not hold, with the rules that it checks.
struct SARIFReporter: PageReporter {
    /// The catalogue that explains the rules of results.
    var catalogue = RuleCatalogue.standard
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func includes(_ result: ScenarioResult) -> Bool {
        result.standing != .passed && result.standing != .skipped
    }

    func page(_ summary: RunSummary) -> String { document(summary).written() + "\n" }

    private func document(_ summary: RunSummary) -> JSONValue {
        let ids = ruleIDs
        let rules = ids.map { id -> JSONValue in
            let rule = catalogue[id]
            let quotation = rule?.citation.map { ": \"\($0.sentence)\"" } ?? ""
            return .object(
                [
                    ("id", .string(id)), ("shortDescription", SARIF.text(rule?.sentence ?? id)),
                    ("help", SARIF.text((rule?.source ?? id) + quotation)),
                ] + (rule?.link.map { [("helpUri", .string($0))] } ?? [])
            )
        }
        return SARIF.document(
            driver: [("name", "cachecheck"), ("rules", .array(rules))],
            details: [("automationDetails", .object([("id", .string("\(run.subject)/"))]))],
            results: results.flatMap { values($0, ids) } + summary.baselineProblems.map(value)
        )
    }

    /// The first rule of each result; the others become tags.
    private var ruleIDs: [String] {
        var seen: Set<String> = []
        return results.compactMap(\.rules.first).filter { seen.insert($0).inserted }
    }

    private func values(_ result: ScenarioResult, _ ids: [String]) -> [JSONValue] {
        let mismatches = result.standing == .unexpectedPass ? [] : result.verdict.mismatches
        if mismatches.isEmpty {
            return [value(result, ids, at: result.position.description, message(result))]
        }
        return mismatches.map { value(result, ids, at: $0.position, Verdict.sentence($0)) }
    }

    private func message(_ result: ScenarioResult) -> String {
        result.standing == .unexpectedPass
            ? "passes, although the baseline expects a failure: \(result.baselineReason ?? "")"
            : result.verdict.reason
    }

    private func value(_ result: ScenarioResult, _ ids: [String], at place: String, _ message: String)
        -> JSONValue
    {
        let rule = result.rules.first ?? "harness"
        let story = Transcript.lines(of: result).joined(separator: "\n")
        return .object([
            ("ruleId", .string(rule)), ("ruleIndex", .integer(ids.firstIndex(of: rule) ?? -1)),
            ("level", .string(level(result.standing))),
            ("message", SARIF.text("\(result.name): \(result.title): \(message)")),
            ("locations", .array([location(place)])),
            ("partialFingerprints", .object([("scenario/v1", .string(result.name))])),
            (
                "properties",
                .object([
                    ("tags", JSONValue(result.rules)), ("verdict", .string(result.verdict.name)),
                    ("story", .string(story)),
                ])
            ),
        ])
    }

    private func value(_ problem: String) -> JSONValue {
        .object([
            ("level", "error"), ("message", SARIF.text(problem)), ("locations", .array([location(problem)])),
        ])
    }

    private func level(_ standing: ResultStatus) -> String {
        switch standing {
        case .failed, .unexpectedPass, .broken: "error"
        case .noted: "note"
        case .expectedFailure, .passed, .skipped: "none"
        }
    }

    /// Returns the location in a text that begins with `file:line:column`.
    private func location(_ place: String) -> JSONValue {
        let parts = place.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().prefix(2).compactMap { Int($0) }
        let isPlace = numbers.count == 2 && numbers.allSatisfy { $0 > 0 }
        let file = parts.first.map(String.init) ?? ""
        return .object([SARIF.physicalLocation(in: file, isPlace ? (numbers[0], numbers[1]) : nil)])
    }
}
