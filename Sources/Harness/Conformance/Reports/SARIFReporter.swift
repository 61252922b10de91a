import CacheSemantics
import JSON
import LocatedYAML
import ReportFormats
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
        // The first rule of each result; the others become tags.
        let report = SARIF(rules: results.compactMap(\.rules.first))
        return report.document(
            driver: [("name", "cachecheck")],
            describe: description,
            details: [("automationDetails", .object([("id", .string("\(run.subject)/"))]))],
            results: results.flatMap { values($0, in: report) } + summary.baselineProblems.map(value)
        )
    }

    private func description(_ id: String) -> [(String, JSONValue)] {
        let rule = catalogue[id]
        let quotation = rule?.citation.map { ": \"\($0.sentence)\"" } ?? ""
        return [
            ("shortDescription", SARIF.text(rule?.sentence ?? id)),
            ("help", SARIF.text((rule?.source ?? id) + quotation)),
        ] + (rule?.link.map { [("helpUri", .string($0))] } ?? [])
    }

    private func values(_ result: ScenarioResult, in report: SARIF) -> [JSONValue] {
        let mismatches = result.standing == .unexpectedPass ? [] : result.verdict.mismatches
        if mismatches.isEmpty { return [value(result, in: report, at: result.position, message(result))] }
        return mismatches.map { mismatch in
            let place = Position(leading: mismatch.position)
            return value(result, in: report, at: place, Verdict.sentence(mismatch))
        }
    }

    private func message(_ result: ScenarioResult) -> String {
        result.standing == .unexpectedPass
            ? "passes, although the baseline expects a failure: \(result.baselineReason ?? "")"
            : result.verdict.reason
    }

    private func value(
        _ result: ScenarioResult,
        in report: SARIF,
        at place: Position,
        _ message: String
    ) -> JSONValue {
        let properties: JSONValue = .object([
            ("tags", JSONValue(result.rules)), ("verdict", .string(result.verdict.name)),
            ("story", .string(Transcript.lines(of: result).joined(separator: "\n"))),
        ])
        let members = report.result(
            of: result.rules.first ?? "harness",
            level(result.standing),
            "\(result.name): \(result.title): \(message)",
            at: SARIF.location(place),
            fingerprint: ("scenario/v1", result.name)
        )
        return .object(members + [("properties", properties)])
    }

    private func value(_ problem: String) -> JSONValue {
        .object(SARIF.result("error", problem, at: SARIF.location(Position(leading: problem))))
    }

    private func level(_ standing: ResultStatus) -> String {
        switch standing {
        case .failed, .unexpectedPass, .broken: "error"
        case .noted: "note"
        case .expectedFailure, .passed, .skipped: "none"
        }
    }
}
