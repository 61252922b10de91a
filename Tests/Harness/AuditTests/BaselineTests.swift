import LocatedYAML
import Testing

@testable import Audit

@Suite("Accepted findings of audits")
struct AuditBaselineTests {
    private var report: AuditReport {
        var report = AuditReport()
        report.urls = [
            judged(
                exchange(
                    "/a",
                    ["Cache-Control": "public, max-age=60", "Set-Cookie": "a=1", "ETag": "\"v1\""]
                )
            ),
            judged(exchange("/b", ["Cache-Control": "max-age=60", "ETag": "\"v1\""])),
        ]
        return report
    }

    private let known = "shared-cookie https://site.example/a: it is the same for all\n"

    @Test("An accepted finding does not fail the audit, and keeps its reason")
    func accepted() throws {
        var report = self.report
        #expect(report.exitStatus == 1)
        let baseline = try AuditBaseline(text: "# known\n\n" + known, file: "b.txt")
        baseline.judge(&report, isWhole: true)
        #expect(report.exitStatus == 0)
        #expect(report.ignored == 1)
        #expect(report.urls[0].findings.first?.ignored == "it is the same for all")
        #expect(baseline.text(accepting: report).hasSuffix(known))
    }

    struct StaleRow: Sendable, CustomTestStringConvertible {
        let line: String
        let isWhole: Bool
        let rules: [String]
        var testDescription: String { "\(line), \(isWhole ? "whole" : "shard")" }
    }

    static let staleRows = [
        StaleRow(
            line: "shared-cookie https://site.example/b: gone",
            isWhole: true,
            rules: ["baseline-unnecessary"]
        ),
        StaleRow(
            line: "shared-cookie https://site.example/b: gone",
            isWhole: false,
            rules: ["baseline-unnecessary"]
        ),
        StaleRow(
            line: "shared-cookie https://site.example/c: elsewhere",
            isWhole: true,
            rules: ["baseline-unmatched"]
        ),
        StaleRow(line: "shared-cookie https://site.example/c: elsewhere", isWhole: false, rules: []),
    ]

    @Test(
        "A line that accepts nothing fails the audit, unless another shard may need it",
        arguments: staleRows
    )
    func unused(_ row: StaleRow) throws {
        var report = self.report
        try AuditBaseline(text: known + row.line, file: "b.txt").judge(&report, isWhole: row.isWhole)
        #expect(report.policyFindings.map(\.rule) == row.rules)
        #expect(report.policyFindings.compactMap(\.position?.line) == row.rules.map { _ in 2 })
        #expect(report.exitStatus == (row.rules.isEmpty ? 0 : 1))
    }

    private func unavailable() -> AuditedURL {
        var result = AuditedURL(url: "https://site.example/a")
        result.exchange = exchange("/a", [:], status: 500)
        return ExchangeReview([.browser, .shared]).judged(result)
    }

    @Test("A line about a URL that could not be audited is kept")
    func unaudited() throws {
        var report = self.report
        report.urls[0] = unavailable()
        try AuditBaseline(text: known, file: "b.txt").judge(&report, isWhole: true)
        #expect(report.policyFindings.isEmpty)
        #expect(report.findings.map(\.rule) == ["error-response"])
    }

    @Test("An error that is accepted is audited as it is")
    func acceptedError() throws {
        var report = AuditReport()
        report.urls = [unavailable()]
        #expect(report.exitStatus == 69)
        let line = "error-response https://site.example/a: gone on purpose\n"
        try AuditBaseline(text: line, file: "b.txt").judge(&report, isWhole: true)
        #expect((report.exitStatus, report.failures) == (0, 0))
    }

    @Test("What is written is accepted at once, with warnings if those count")
    func written() throws {
        var report = self.report
        report.urls.append(
            judged(exchange("/c", ["Cache-Control": "maxage=60, no-cache", "ETag": "\"v1\""]))
        )
        report.isStrict = true
        let text = AuditBaseline().text(accepting: report)
        #expect(text.split(separator: "\n").count == 3, "\(text)")
        try AuditBaseline(text: text, file: "b.txt").judge(&report, isWhole: true)
        #expect(report.exitStatus == 0)
    }

    @Test("A page that was made up has one name in all audits")
    func madeUp() throws {
        func made(_ token: String) -> AuditReport {
            var result = AuditedURL(url: "https://site.example/cachecheck-\(token)")
            result.isMadeUp = true
            result.exchange = exchange(
                "/cachecheck-\(token)",
                ["Cache-Control": "max-age=99999"],
                status: 404
            )
            var report = AuditReport()
            report.urls = [ExchangeReview([.browser, .shared]).judged(result)]
            report.isStrict = true
            return report
        }
        let text = AuditBaseline().text(accepting: made("one"))
        var other = made("two")
        #expect(other.exitStatus == 1)
        try AuditBaseline(text: text, file: "b.txt").judge(&other, isWhole: true)
        #expect(other.exitStatus == 0, "\(text)")
    }

    static let brokenLines = [
        "shared-cookie: no URL", "shared-cookie https://a.example/ no colon",
        "no-such-rule https://a.example/: why",
        "shared-cookie https://a.example/: ",
    ]

    @Test("A line that is no accepted finding is rejected with its place", arguments: brokenLines)
    func broken(_ line: String) throws {
        let problems = #expect(throws: YAMLProblems.self) {
            try AuditBaseline(text: "\n" + line, file: "b.txt")
        }
        #expect(problems?.problems.first?.position.line == 2)
    }

    @Test("A finding that is there twice is rejected")
    func repeated() {
        #expect(throws: YAMLProblems.self) { try AuditBaseline(text: known + known, file: "b.txt") }
    }
}
