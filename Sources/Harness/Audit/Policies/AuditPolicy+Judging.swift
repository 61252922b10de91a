public import CacheSemantics
import LocatedYAML

extension AuditPolicy {
    /// Adds to a report what the policy expects otherwise and what it ignores; `date` is today, on which exceptions may have
    /// expired.
    ///
    /// Of a part of an audit it is not known what the exceptions ignore in the others.
    public func judge(_ report: inout AuditReport, at date: HTTPDate) {
        for index in report.urls.indices {
            let result = report.urls[index]
            let rule = rule(for: result)
            if let rule { report.urls[index].findings += findings(of: rule, in: result) }
            let position = rule?.position ?? place(of: result.url)
            report.urls[index].position = position
            for place in report.urls[index].findings.indices {
                report.urls[index].findings[place].rulePosition = position
            }
            report.urls[index].findings.sort { $0.severity < $1.severity }
        }
        noteUnmatchedRules(in: &report)
        for ignore in ignores { apply(ignore, to: &report, date.secondsSinceEpoch) }
    }

    /// Warns of rules that match nothing that was audited, for example because of a mistake in a pattern.
    private func noteUnmatchedRules(in report: inout AuditReport) {
        // What could not be audited may be what they are for.
        guard !report.isShard, report.omitted.isEmpty, !report.urls.contains(where: \.isUnaudited) else {
            return
        }
        for rule in rules where !report.urls.contains(where: { rule.match.matches($0, site: site?.value) }) {
            let text = "the rule \(rule.name) matches no URL that was audited"
            report.note("rule-unmatched", .warning, text, in: "policy", at: rule.position)
        }
    }

    private func findings(of rule: PolicyRule, in result: AuditedURL) -> [AuditFinding] {
        let correction = PolicyCorrection(rule, result).fields
        return rule.expectations.compactMap { expectation in
            guard let mismatch = expectation.value.mismatch(in: result) else { return nil }
            var finding = AuditFinding(
                rule: "policy",
                severity: rule.level,
                url: result.url,
                message: "\(rule.name): \(mismatch)",
                section: "policy",
                position: expectation.position
            )
            if expectation.value.isAboutFields { finding.correction = correction }
            return finding
        }
    }

    private func apply(_ ignore: PolicyIgnore, to report: inout AuditReport, _ now: Int64) {
        if let until = ignore.until, now > until {
            return note("ignore-expired", "has expired: \(ignore.why)", ignore, &report)
        }
        let matching = report.urls.indices.filter { ignore.url.matches(report.urls[$0].url) }
        var isNeeded = false
        for index in matching {
            for place in report.urls[index].findings.indices {
                let finding = report.urls[index].findings[place]
                guard ignore.rule == nil || ignore.rule == finding.rule else { continue }
                report.urls[index].findings[place].ignored = ignore.why
                isNeeded = true
            }
        }
        // What could not be audited may have what is ignored.
        guard !report.isShard, !matching.contains(where: { report.urls[$0].isUnaudited }) else { return }
        if matching.isEmpty {
            note("ignore-unmatched", "matches no URL that was audited", ignore, &report)
        } else if !isNeeded {
            note("ignore-unnecessary", "ignores nothing; remove it", ignore, &report)
        }
    }

    private func note(_ rule: String, _ text: String, _ ignore: PolicyIgnore, _ report: inout AuditReport) {
        let sentence = "the exception for \(ignore.url.text) \(text)"
        report.note(rule, .error, sentence, in: "policy", at: ignore.position)
    }
}
