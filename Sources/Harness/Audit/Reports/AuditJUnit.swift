import ReportFormats

/// JUnit's XML: a test suite for each host, a test case for each URL.
///
/// A finding that is an error is a `failure`, a URL that could not be audited an `error`. Other findings are output.
struct AuditJUnit {
    let report: AuditReport

    var document: String {
        var document = JUnitDocument("cachecheck audit")
        let hosts = Dictionary(grouping: report.urls) { host(of: $0.url) }
        for host in hosts.keys.sorted() { document.add(host, (hosts[host] ?? []).map(testCase)) }
        if !report.policyFindings.isEmpty { document.add("policy", report.policyFindings.map(testCase)) }
        return document.text
    }

    private func testCase(_ result: AuditedURL) -> JUnitCase {
        let counted = result.findings.filter(\.counts)
        let errors = counted.filter { report.level($0) == .error }
        let others = counted.filter { report.level($0) != .error }
        var elements = errors.map(failure)
        if let failure = result.failure { elements.append(.error("not-audited", failure.description)) }
        let output =
            others.map(line) + result.outcomes.map { "\($0.cache.name): \($0.line(size: result.size))" }
        if !output.isEmpty { elements.append(.output(output.joined(separator: "\n"))) }
        let name = NonexistentPage.steadyURL(of: result)
        return JUnitCase(name, of: host(of: result.url), time: "0", elements)
    }

    private func testCase(_ finding: AuditFinding) -> JUnitCase {
        JUnitCase(finding.message, of: "policy", time: "0", [failure(finding)])
    }

    private func failure(_ finding: AuditFinding) -> JUnitCase.Element {
        .failure(finding.rule, line(finding), FindingText.details(finding).joined(separator: "\n"))
    }

    private func line(_ finding: AuditFinding) -> String {
        "\(report.level(finding).rawValue): \(finding.message) [\(finding.rule), \(finding.section)]"
    }

    private func host(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? String(parts[1]) : url
    }
}
