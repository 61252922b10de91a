import CacheSemantics
import Explanation
import HTTPTypes
import JSON
import LocatedYAML

/// The report as one JSON object; docs/audit-report.schema.json describes it.
struct AuditJSON {
    let report: AuditReport

    var document: JSONValue {
        .object([
            ("version", .integer(1)),
            ("totals", totals),
            ("urls", .array(report.urls.map(url))),
            ("policy", .array(report.policyFindings.map(finding))),
            ("omitted", .array(report.omitted.map { omission($0.reason, $0.count) })),
            ("uses", .array(report.uses.map(use))),
            ("cost", .array(report.showsCost ? VisitorCosts(report).urls.map(cost) : [])),
        ])
    }

    private var totals: JSONValue {
        .object([
            ("urls", .integer(report.urls.count)), ("failures", .integer(report.failures)),
            ("errors", .integer(report.count(.error))), ("warnings", .integer(report.count(.warning))),
            ("advice", .integer(report.count(.advice))), ("ignored", .integer(report.ignored)),
            ("requests", .integer(report.requests)), ("exitStatus", .integer(report.exitStatus)),
        ])
    }

    private func omission(_ reason: String, _ count: Int) -> JSONValue {
        .object([("reason", .string(reason)), ("count", .integer(count))])
    }

    private func use(_ use: RecordedUse) -> JSONValue {
        .object([
            ("entry", .integer(use.entry)), ("url", .string(use.url)),
            ("place", .string(use.position.description)), ("source", .string(use.source.key)),
            ("verdict", .string(use.verdict.rawValue)), ("reason", .string(use.reason)),
            ("section", .string(use.section)), ("stored", JSONValue(use.stored)),
            ("avoidableBytes", .integer(use.avoidableBytes)),
        ])
    }

    private func cost(_ cost: VisitorCost) -> JSONValue {
        let visits = VisitorCost.times.indices.map { visit -> JSONValue in
            .object([
                ("after", .integer(Int(VisitorCost.times[visit]))), ("cost", .string(cost.visits[visit].key)),
                ("saved", JSONValue(cost.saved(visit))), ("wasted", JSONValue(cost.wasted(visit))),
            ])
        }
        return .object([
            ("url", .string(cost.url)), ("size", JSONValue(cost.size)), ("visits", .array(visits)),
        ])
    }

    private func url(_ result: AuditedURL) -> JSONValue {
        .object([
            ("url", .string(result.url)),
            ("origin", JSONValue(result.origin.isEmpty ? nil : result.origin)),
            ("status", JSONValue(result.exchange?.status)),
            ("size", JSONValue(result.size)),
            ("failure", JSONValue(result.failure?.description)),
            ("findings", .array(result.findings.map(finding))),
            ("outcomes", .object(result.outcomes.map { ($0.cache.key, outcome($0)) })),
            ("probes", JSONValue(result.probes)),
            ("skipped", .array(result.skipped.map(skipped))),
        ])
    }

    private func skipped(_ probe: SkippedProbe) -> JSONValue {
        .object([("probe", .string(probe.probe)), ("reason", .string(probe.reason))])
    }

    private func finding(_ finding: AuditFinding) -> JSONValue {
        .object([
            ("rule", .string(finding.rule)), ("level", .string(report.level(finding).rawValue)),
            ("message", .string(finding.message)), ("section", .string(finding.section)),
            ("correction", .array(finding.correction.map { .string($0.text) })),
            ("gain", JSONValue(finding.gain)), ("place", JSONValue(finding.position?.description)),
            ("ignored", JSONValue(finding.ignored)),
        ])
    }

    private func outcome(_ outcome: CacheOutcome) -> JSONValue {
        let terms = outcome.explanation.lifetime
        return .object([
            ("stored", .bool(outcome.isStored)),
            ("lifetime", JSONValue(terms?.seconds)), ("source", JSONValue(terms?.source.rawValue)),
            ("remaining", outcome.isStored ? .integer(outcome.remaining) : .null),
            ("next", .string(outcome.next.key)), ("whenStale", .string(outcome.whenStale.key)),
            ("reload", .string(outcome.reload.key)),
            ("validation", .array(outcome.explanation.conditions.map { .string($0.name.rawName) })),
            ("staleUse", JSONValue(outcome.statements(.staleUse).map(\.sentence))),
            ("why", JSONValue(outcome.statements(.storing).map(\.sentence))),
        ])
    }
}
