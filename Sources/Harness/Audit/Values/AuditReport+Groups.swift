/// The URLs of one rule's findings.
struct RuleCount {
    let rule: String
    /// The gravest level of a finding.
    private(set) var level: AuditRule.Severity
    /// The places of the results in the report.
    private(set) var urls: [Int] = []

    init(rule: String, level: AuditRule.Severity) { (self.rule, self.level) = (rule, level) }

    mutating func add(_ url: Int, _ level: AuditRule.Severity) {
        self.level = min(self.level, level)
        if urls.last != url { urls.append(url) }
    }
}

extension AuditReport {
    /// The rules with findings that count: errors first, then those of more URLs.
    var countsByRule: [RuleCount] {
        var counts: [String: RuleCount] = [:]
        for (index, result) in urls.enumerated() {
            for finding in result.findings where finding.counts {
                let level = level(finding)
                counts[finding.rule, default: RuleCount(rule: finding.rule, level: level)].add(index, level)
            }
        }
        return counts.values.sorted {
            ($0.level, -$0.urls.count, $0.rule) < ($1.level, -$1.urls.count, $1.rule)
        }
    }
}

extension AuditedURL {
    /// The probes that were not made, by their reasons, in the order in which these came.
    var skippedByReason: [(reason: String, probes: [String])] {
        var groups: [(reason: String, probes: [String])] = []
        for probe in skipped {
            if let index = groups.firstIndex(where: { $0.reason == probe.reason }) {
                groups[index].probes.append(probe.probe)
            } else {
                groups.append((probe.reason, [probe.probe]))
            }
        }
        return groups
    }
}
