import Conformance

/// JUnit's XML: a test suite for each host, a test case for each URL.
///
/// A finding that is an error is a `failure`, a URL that could not be audited an `error`. Other findings are output.
struct AuditJUnit {
    let report: AuditReport

    var document: String {
        let hosts = Dictionary(grouping: report.urls) { host(of: $0.url) }
        var suites = hosts.keys.sorted().flatMap { suite($0, (hosts[$0] ?? []).map(testCase)) }
        if !report.policyFindings.isEmpty { suites += suite("policy", report.policyFindings.map(testCase)) }
        let totals = attributes(of: suitesCases)
        let head = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"cachecheck audit\" \(totals)>",
        ]
        return (head + suites + ["</testsuites>"]).map { $0 + "\n" }.joined()
    }

    private struct TestCase {
        var failures = 0
        var errors = 0
        var lines: [String]
    }

    private var suitesCases: [TestCase] { report.urls.map(testCase) + report.policyFindings.map(testCase) }

    private func suite(_ name: String, _ cases: [TestCase]) -> [String] {
        ["  <testsuite name=\"\(Markup.attribute(name))\" \(attributes(of: cases))>"] + cases.flatMap(\.lines)
            + ["  </testsuite>"]
    }

    private func attributes(of cases: [TestCase]) -> String {
        "tests=\"\(cases.count)\" failures=\"\(cases.filter { $0.failures > 0 }.count)\" "
            + "errors=\"\(cases.filter { $0.errors > 0 }.count)\" skipped=\"0\""
    }

    private func testCase(_ result: AuditedURL) -> TestCase {
        let counted = result.findings.filter(\.counts)
        let failures = counted.filter { report.level($0) == .error }
        let others = counted.filter { report.level($0) != .error }
        var content = failures.map(element)
        if let failure = result.failure {
            content.append(
                "      <error type=\"not-audited\" message=\"\(Markup.attribute("\(failure)"))\"/>"
            )
        }
        let output =
            others.map(line) + result.outcomes.map { "\($0.cache.name): \($0.line(size: result.size))" }
        if !output.isEmpty {
            content.append("      <system-out>\(Markup.text(output.joined(separator: "\n")))</system-out>")
        }
        return testCase(
            host(of: result.url),
            MadeUpPage.steadyURL(of: result),
            content,
            failures.count,
            result.failure == nil ? 0 : 1
        )
    }

    private func testCase(_ finding: AuditFinding) -> TestCase {
        testCase("policy", finding.message, [element(finding)], 1, 0)
    }

    private func testCase(
        _ suite: String,
        _ name: String,
        _ content: [String],
        _ failures: Int,
        _ errors: Int
    ) -> TestCase {
        let head =
            "    <testcase classname=\"\(Markup.attribute(suite))\" name=\"\(Markup.attribute(name))\" time=\"0\">"
        return TestCase(failures: failures, errors: errors, lines: [head] + content + ["    </testcase>"])
    }

    private func element(_ finding: AuditFinding) -> String {
        let head =
            "      <failure type=\"\(Markup.attribute(finding.rule))\" message=\"\(Markup.attribute(line(finding)))\">"
        return head + Markup.text(FindingText.details(finding).joined(separator: "\n")) + "</failure>"
    }

    private func line(_ finding: AuditFinding) -> String {
        "\(report.level(finding).rawValue): \(finding.message) [\(finding.rule), \(finding.section)]"
    }

    private func host(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? String(parts[1]) : url
    }
}
