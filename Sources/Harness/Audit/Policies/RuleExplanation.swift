import CacheSemantics
import Explanation
import HTTPTypes

/// The verdicts of one rule of the audit, or of one rule of a policy by its name.
package struct RuleExplanation {
    private let name: String
    private let report: AuditReport

    /// Creates an explanation of a rule's verdicts in a report.
    package init(_ name: String, _ report: AuditReport) {
        self.name = name
        self.report = report
    }

    /// The explanation, as lines of text.
    package var text: String {
        var lines: [String] = []
        if let rule = AuditRule.named(name) {
            lines.append("\(rule.id): \(rule.title) (\(rule.severity.rawValue), \(rule.section))")
            if !rule.requirement.isEmpty { lines.append("  \"\(rule.requirement)\"") }
        }
        for result in report.urls { lines += self.lines(result) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func text(_ finding: AuditFinding) -> [String] {
        let sentence = "  \(report.level(finding).rawValue): \(finding.message)"
        return [sentence] + FindingText.details(finding).map { "    " + $0 }
    }

    private func lines(_ result: AuditedURL) -> [String] {
        let findings = result.findings.filter { $0.rule == name || $0.message.hasPrefix(name + ": ") }
        var lines = ["", result.url]
        if let failure = result.failure { return lines + ["  not audited: \(failure)"] }
        if findings.isEmpty {
            lines.append(result.isUnaudited ? "  not audited" : "  not violated" + probes(result))
        }
        lines += findings.flatMap(text)
        if let exchange = result.exchange { lines += messages("GET", exchange) }
        for probe in probesOfRule {
            guard let answer = result.answers[probe.name] else { continue }
            lines += messages("probe \(probe.name)", answer)
        }
        return lines + result.outcomes.flatMap(self.lines)
    }

    private var probesOfRule: [Probe] { Probe.all.filter { $0.rules.contains(name) } }

    private func probes(_ result: AuditedURL) -> String {
        let reasons = probesOfRule.compactMap { probe in
            result.skipped.first { $0.probe == probe.name }.map { "\(probe.name): \($0.reason)" }
        }
        return reasons.isEmpty ? "" : " (not made: \(reasons.joined(separator: "; ")))"
    }

    private func messages(_ label: String, _ exchange: AuditedExchange) -> [String] {
        let request = exchange.request
        let sent = request.headerFields.map { "    > \($0.name.rawName): \($0.value)" }
        let came = exchange.fields.map { "    < \($0.name.rawName): \($0.value)" }
        return ["  \(label)", "    > \(request.method.rawValue) \(request.path ?? "/")"] + sent
            + ["    < \(exchange.status)"] + came
    }

    private func lines(_ outcome: CacheOutcome) -> [String] {
        ["  \(outcome.cache.name)"]
            + outcome.explanation.statements.map { "    \($0.sentence) (\($0.section))" }
    }
}
