import CacheSemantics
import JSON
import LocatedYAML
import PublicSuite
import Scenarios

/// A reporter that writes one JSON object per line, each with an `event`.
///
/// docs/run-report.schema.json describes the events and their members.
struct JSONReporter: Reporter {
    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run): Self.value(run).written() + "\n"
        case .scenarioFinished(let result): Self.value(result).written() + "\n"
        case .runFinished(let summary): Self.value(summary).written() + "\n"
        }
    }

    private static func value(_ run: RunDescription) -> JSONValue {
        .object([
            ("event", "run-started"), ("format", 1), ("subject", .string(run.subject)),
            ("transport", .string(run.transport)), ("count", .integer(run.count)),
            ("baseline", .bool(run.hasBaseline)), ("shard", JSONValue(run.shard?.description)),
        ])
    }

    private static func value(_ result: ScenarioResult) -> JSONValue {
        .object(
            [
                ("event", "scenario-finished"), ("id", .string(result.id)),
                ("cache", .string(result.cacheKind.rawValue)), ("suite", .string(result.suite)),
                ("area", .string(result.area)), ("title", .string(result.title)),
                ("level", .string(result.level.rawValue)), ("rules", JSONValue(result.rules)),
                ("because", .array(result.grounds.map(value))),
                ("file", .string(result.position.file)), ("line", .integer(result.position.line)),
                ("column", .integer(result.position.column)), ("verdict", .string(result.verdict.name)),
                ("standing", .string(result.standing.rawValue)), ("reason", .string(result.verdict.reason)),
                ("baseline", JSONValue(result.baselineReason)), ("seconds", .seconds(result.seconds)),
                ("steps", .array(result.steps.map { value($0, of: result) })),
                ("failed-dependency", JSONValue(result.verdict.failedDependency)),
                ("wire", result.standing.failsRun && !result.wire.isEmpty ? .string(result.wire) : .null),
                ("subject-lost", .bool(result.isSubjectLost)),
            ] + (result.suiteClass.map { [("suite-class", .string($0.rawValue))] } ?? [])
                + (result.lateRuns.isEmpty
                    ? [] : [("late-runs", .array(result.lateRuns.map { .seconds($0) }))])
                + (result.concurrentVerdict.map { [("concurrent-verdict", .string($0.reason))] } ?? [])
        )
    }

    private static func value(_ citation: Citation) -> JSONValue {
        .object([
            ("section", .string(citation.section)), ("keyword", .string(citation.keyword.rawValue)),
            ("sentence", .string(citation.sentence)),
        ])
    }

    private static func value(_ step: StepRecord, of result: ScenarioResult) -> JSONValue {
        let explanation =
            result.explanation(of: step).map { [("explanation", ExplanationText.json($0))] } ?? []
        return .object(
            [
                ("number", .integer(step.number)), ("title", .string(step.title)),
                ("file", .string(step.position.file)), ("line", .integer(step.position.line)),
                ("at", .seconds(step.startedAt)), ("mismatches", .array(step.mismatches.map(value))),
                ("caller", .array(step.exchanges.map(value))), ("origin", .array(step.arrivals.map(value))),
            ] + course(step) + explanation
        )
    }

    private static func course(_ step: StepRecord) -> [(String, JSONValue)] {
        let moments = step.course.map { moment in
            JSONValue.object([("at", .number(moment.at)), ("what", .string(moment.what))])
        }
        return moments.isEmpty ? [] : [("course", .array(moments))]
    }

    private static func value(_ mismatch: Mismatch) -> JSONValue {
        .object([
            ("at", .string(mismatch.position)), ("subject", .string(mismatch.subject)),
            ("expected", .string(mismatch.expected)), ("seen", .string(mismatch.seen)),
        ])
    }

    private static func value(_ exchange: CallerExchange) -> JSONValue {
        let seen = exchange.seen
        let request: JSONValue = .object([
            ("method", .string(exchange.method)), ("target", .string(exchange.target)),
            ("fields", value(exchange.fields)),
        ])
        let error = seen.error.map { error in
            JSONValue.object([("code", .integer(error.code)), ("text", .string(error.text))])
        }
        return .object([
            ("request", request), ("status", JSONValue(seen.status)), ("fields", value(seen.fields)),
            ("body-bytes", .integer(seen.body.count)), ("source", JSONValue(seen.source?.rawValue)),
            ("stale", JSONValue(seen.isStale)), ("age", JSONValue(seconds: seen.age)),
            ("error", error ?? .null),
            ("took", .seconds(seen.took)), ("redirects", .integer(seen.redirects)),
            ("events", seen.events.map { JSONValue($0) } ?? .null),
            ("findings", .array(seen.findings.map(value))),
        ])
    }

    private static func value(_ exchange: OriginExchange) -> JSONValue {
        let request = exchange.request
        let interim = exchange.interimResponses.map { response in
            JSONValue.object([("status", .integer(response.status)), ("fields", value(response.fields))])
        }
        return .object([
            ("method", .string(request.method)), ("path", .string(request.path)),
            ("query", JSONValue(request.query)), ("fields", value(request.fields)),
            ("body-bytes", .integer(request.body.count)), ("connection", .integer(request.connection)),
            ("reused", .bool(request.isReusedConnection)), ("aborted", .bool(request.isAborted)),
            ("interim", .array(interim)),
            ("status", JSONValue(request.answeredStatus)), ("answer-fields", value(exchange.answerFields)),
        ])
    }

    private static func value(_ finding: Finding) -> JSONValue {
        .object([
            ("rule", .string(finding.rule.rawValue)), ("held", .bool(finding.held)),
            ("detail", .string(finding.detail)),
        ])
    }

    private static func value(_ fields: [(name: String, value: String)]) -> JSONValue {
        .array(fields.map { JSONValue([$0.name, $0.value]) })
    }

    private static func value(_ summary: RunSummary) -> JSONValue {
        .object([
            ("event", "run-finished"), ("seconds", .seconds(summary.seconds)),
            ("areas", .array(summary.areas.map(value))), ("total", value(summary.total)),
            ("baseline-problems", JSONValue(summary.baselineProblems)),
            ("passed-unstored", .integer(summary.unstored)),
            ("exit-status", .integer(Int(summary.exitStatus))),
        ])
    }

    private static func value(_ area: AreaCounts) -> JSONValue {
        let counts = ResultStatus.allCases.map { ($0.rawValue, JSONValue.integer(area[$0])) }
        return .object([("area", .string(area.area))] + counts + [("seconds", .seconds(area.seconds))])
    }
}
