import CacheSemantics
import HTTPArchive
import JSON
import TestSupport
import Testing

@testable import Audit

@Suite("Reports of audits")
struct ReportTests {
    private var report: AuditReport {
        var report = AuditReport()
        report.urls = [
            judged(
                exchange(
                    "/a?b=1&c=<2>",
                    ["Cache-Control": "public, max-age=60", "Set-Cookie": "a=1", "ETag": "\"v1\""]
                )
            ),
            judged(exchange("/b", ["ETag": "\"v1\""])),
        ]
        var failed = AuditedURL(url: "https://down.example/")
        failed.failure = .timedOut(.seconds(30))
        report.urls.append(failed)
        return report
    }

    @Test(
        "A site's control characters do not reach the terminal",
        arguments: [AuditReportKind.text, .github]
    )
    func controls(kind: AuditReportKind) {
        var report = AuditReport()
        var failed = AuditedURL(url: "https://site.example/\u{1B}[2J")
        failed.failure = .timedOut(.seconds(30))
        report.urls = [failed]
        let page = kind.text(of: report, source: "policy.yaml")
        #expect(page.contains("site.example/\\u{1B}[2J"))
        #expect(!page.contains("\u{1B}"))
    }

    @Test("An error decides the exit status, then a warning if the audit is strict, then a failure")
    func exitStatus() {
        var report = self.report
        #expect(report.exitStatus == 1)
        report.urls.removeFirst()
        #expect(report.exitStatus == 69)
        report.urls.removeLast()
        #expect(report.exitStatus == 0)
        report.urls = [judged(exchange("/", ["Cache-Control": "maxage=60, no-cache", "ETag": "\"v1\""]))]
        #expect(report.exitStatus == 0)
        report.isStrict = true
        #expect(report.exitStatus == 1)
    }

    struct ErrorRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var statuses: [Int]
        var isFound = false
        var isLive = true
        /// The levels of `error-response`.
        var levels: [AuditRule.Severity]
        var failures = 0
        let exitStatus: Int32
    }

    static let errorRows = [
        ErrorRow(
            testDescription: "a site that is down",
            statuses: [500, 500],
            levels: [.error, .error],
            failures: 2,
            exitStatus: 69
        ),
        ErrorRow(
            testDescription: "a site that needs credentials",
            statuses: [401],
            levels: [.error],
            failures: 1,
            exitStatus: 69
        ),
        ErrorRow(
            testDescription: "one page of several",
            statuses: [200, 404],
            levels: [.error],
            failures: 1,
            exitStatus: 1
        ),
        ErrorRow(
            testDescription: "dead and protected links",
            statuses: [200, 404, 403],
            isFound: true,
            levels: [.warning],
            exitStatus: 0
        ),
        ErrorRow(
            testDescription: "a found page that fails",
            statuses: [200, 502],
            isFound: true,
            levels: [.error],
            failures: 1,
            exitStatus: 1
        ),
        ErrorRow(
            testDescription: "only protected links",
            statuses: [403],
            isFound: true,
            levels: [],
            exitStatus: 69
        ),
        ErrorRow(testDescription: "archives", statuses: [500], isLive: false, levels: [], exitStatus: 0),
    ]

    @Test(
        "An error instead of a page is an error, and if there is nothing else, nothing was audited",
        arguments: errorRows
    )
    func errors(_ row: ErrorRow) {
        var report = AuditReport()
        report.urls = row.statuses.enumerated().map { index, status in
            var result = AuditedURL(url: "https://site.example/\(index)")
            let fields = ["Cache-Control": "no-cache", "ETag": "\"v1\""]
            result.exchange = exchange("/\(index)", fields, status: status)
            (result.isFound, result.isLive) = (row.isFound, row.isLive)
            return ExchangeReview([.browser, .shared]).judged(result)
        }
        let found = report.findings.filter { $0.rule == "error-response" }
        #expect(found.map(\.severity) == row.levels)
        #expect(report.failures == row.failures)
        #expect(report.exitStatus == row.exitStatus)
    }

    @Test(
        "Every format names each URL, those that could not be audited included",
        arguments: AuditReportKind.allCases
    )
    func formats(_ kind: AuditReportKind) {
        let text = kind.text(of: report, source: "policy.yaml")
        #expect(text.contains("site.example/a"))
        #expect(text.contains("down.example"))
    }

    @Test("docs/audit-comparison.md states the number of probes")
    func probes() throws {
        let text = try String(readingFile: packageFolder + "/docs/audit-comparison.md")
        #expect(
            text.contains("`cachecheck audit` makes up to \(AuditSettings.maximumProbes) further requests.")
        )
    }

    @Test("The table of report formats in docs/audit.md matches the formats; RECORD=1 rewrites it")
    func reference() throws {
        let path = packageFolder + "/docs/audit.md"
        #expect(try GeneratedParts.differences(of: AuditReportKind.reference, in: path) == [])
    }

    @Test("The overview of HTML does not list what could not be audited as if nothing were found")
    func notAudited() {
        let page = AuditReportKind.html.text(of: report, source: "policy.yaml")
        let row = page.split(separator: "\n").first { $0.hasPrefix("<tr>") && $0.contains("down.example") }
        #expect(row?.contains(">not audited</td>") == true)
        #expect(row?.contains(">0</td>") == false)
    }

    @Test("JSON with every member is what its schema describes")
    func schema() throws {
        let text = try String(readingFile: packageFolder + "/docs/audit-report.schema.json")
        let schema = SchemaCheck(try JSONValue(parsing: Array(text.utf8)))
        let har = try String(readingFile: packageFolder + "/fixtures/archives/transferred-although-fresh.har")
        let archive = try HTTPArchive(json: har, file: "a.har")
        var audit = ArchiveAudit(AuditSettings())
        audit.add(archive)
        audit.addUses(of: archive)
        var report = self.report
        (report.uses, report.omitted) = (audit.report.uses, [(reason: "equal", count: 1)])
        report.urls[0].skipped = [SkippedProbe(probe: "head", reason: "none")]
        report.showsCost = true
        let policy = try AuditPolicy.decode(
            "{rules: [{match: /**, expect: {shared: not-stored}}], ignore: [{url: x, why: y}]}",
            file: "p.yaml"
        )
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let json = AuditReportKind.json.text(of: report, source: "p.yaml")
        let value = try JSONValue(parsing: Array(json.utf8))
        for member in ["urls", "policy", "omitted", "uses", "cost"] {
            #expect(value[member]?[0] != nil, "\(member)")
        }
        #expect(schema.problems(of: value) == [])
    }

    @Test(
        "JSON and SARIF are valid JSON, each SARIF result has a place",
        arguments: [AuditReportKind.json, .sarif]
    )
    func json(_ kind: AuditReportKind) throws {
        let value = try #require(
            try? JSONValue(parsing: Array(kind.text(of: report, source: "policy.yaml").utf8))
        )
        guard kind == .sarif, case .array(let results)? = value["runs"]?[0]?["results"] else { return }
        #expect(results.count == report.findings.count + 1)
        for result in results {
            let place = result["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]?.text
            #expect(place == "policy.yaml")
        }
    }

    @Test(
        "The place of a SARIF result is a valid reference (SARIF 2.1.0 §3.4.3)",
        arguments: [
            ("ci/cache policy.yaml", "ci/cache%20policy.yaml"), ("/site/a#1.har", "file:///site/a%231.har"),
        ]
    )
    func references(path: String, uri: String) throws {
        let text = AuditReportKind.sarif.text(of: report, source: path)
        let results = try JSONValue(parsing: Array(text.utf8))["runs"]?[0]?["results"]
        let place = results?[0]?["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]
        #expect(place?.text == uri)
    }

    /// A policy, and the lines of the results of each URL.
    typealias Placed = (policy: String, lines: [String: Set<Int>])

    @Test(
        "With a policy each SARIF result has a line: of the expectation, else of the rule, the URL, the site or the policy",
        arguments: [
            (
                """
                site: https://site.example
                urls:
                  - /b
                  - https://down.example/
                rules:
                  - match: /a
                    expect: {shared: not-stored}
                """, ["/a?b=1&c=<2>": [6, 7], "/b": [3], "https://down.example/": [4]]
            ),
            (
                """
                # Without URLs
                site: https://site.example
                rules: [{match: /c, expect: {shared: not-stored}}]
                """, ["/a?b=1&c=<2>": [2], "/b": [2], "https://down.example/": [2]]
            ),
            (
                """
                # Without a site
                rules:
                  - {match: /b, expect: {shared: not-stored}}
                """, ["/a?b=1&c=<2>": [2], "/b": [3], "https://down.example/": [2]]
            ),
        ] as [Placed]
    )
    func lines(row: Placed) throws {
        var report = self.report
        try AuditPolicy.decode(row.policy, file: "p.yaml").judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let text = AuditReportKind.sarif.text(of: report, source: "p.yaml")
        let results = try JSONValue(parsing: Array(text.utf8))["runs"]?[0]?["results"]
        guard case .array(let results)? = results else { return #expect(Bool(false), "no results") }
        var lines: [String: Set<Int>] = [:]
        for result in results {
            let location = result["locations"]?[0]
            let url = location?["logicalLocations"]?[0]?["fullyQualifiedName"]?.text ?? ""
            let line = location?["physicalLocation"]?["region"]?["startLine"]?.integer ?? 0
            lines[url.replacing("https://site.example", with: ""), default: []].insert(line)
        }
        #expect(lines == row.lines)
    }

    @Test("Each SARIF result names a rule that the report describes")
    func describedRules() throws {
        let text = AuditReportKind.sarif.text(of: report, source: "policy.yaml")
        let run = try #require(try JSONValue(parsing: Array(text.utf8))["runs"]?[0])
        guard case .array(let results)? = run["results"] else { return #expect(Bool(false), "no results") }
        #expect(results.count == report.findings.count + 1)
        for result in results {
            let index = try #require(result["ruleIndex"]?.integer)
            #expect(run["tool"]?["driver"]?["rules"]?[index]?["id"] == result["ruleId"])
        }
    }

    @Test("Responses to other methods are judged only if the policy names the method, and only by its rules")
    func methods() throws {
        func entry(_ method: String) -> String {
            """
            {"startedDateTime": "2026-09-21T12:00:00Z", "request": {"method": "\(method)", "url": "https://a.example/"},
             "response": {"status": 200, "headers": [{"name": "Cache-Control", "value": "max-age=60"}]}}
            """
        }
        let text = "{\"log\": {\"entries\": [\(entry("GET")), \(entry("POST"))]}}"
        let archive = try HTTPArchive(json: text, file: "a.har")
        let rule = "rules: [{match: {method: POST}, expect: {private: not-stored}}]"
        let policy = try AuditPolicy.decode(rule, file: "p.yaml")
        for (methods, urls, errors) in [(["GET"], 1, 0), (policy.methods, 2, 0)] as [(Set<String>, Int, Int)]
        {
            var audit = ArchiveAudit(AuditSettings())
            audit.methods = methods
            audit.add(archive)
            var report = audit.report
            policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
            #expect(report.urls.count == urls)
            #expect(report.count(.error) == errors)
        }
    }

    @Test("A part of an audit may be empty, a whole one not")
    func shard() throws {
        var report = AuditReport()
        #expect(report.exitStatus == 69)
        report.isShard = true
        #expect(report.exitStatus == 0)
    }

    @Test("An archive is judged without requests, and what cannot be judged is counted")
    func archive() throws {
        func entry(_ url: String, _ status: Int, _ more: String = "") -> String {
            """
            {"startedDateTime": "2026-09-21T12:00:00Z", "time": 1, \(more)
             "request": {"method": "GET", "url": "\(url)", "headers": [{"name": "Cache-Control", "value": "no-cache"}]},
             "response": {"status": \(status), "headers": [
              {"name": "Date", "value": "Mon, 21 Sep 2026 12:00:00 GMT"}, {"name": "Set-Cookie", "value": "a=1"},
              {"name": "Cache-Control", "value": "public, max-age=60"}, {"name": "ETag", "value": "\\"v1\\""}],
              "content": {"size": 0}}, "timings": {"send": 0, "wait": 1, "receive": 0}}
            """
        }
        let entries = [
            entry("https://a.example/", 200), entry("https://a.example/", 200),
            entry("data:text/plain,x", 200),
            entry("https://a.example/c", 304), entry("https://a.example/d", 200, "\"_fromCache\": \"disk\","),
        ]
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}"
        var audit = ArchiveAudit(AuditSettings())
        audit.add(try HTTPArchive(json: text, file: "a.har"))
        let report = audit.report
        #expect(report.urls.map(\.url) == ["https://a.example/"])
        #expect(report.findings.map(\.rule) == ["shared-cookie"])
        #expect(report.omitted.map { $0.count }.reduce(0, +) == 4)
        #expect(report.exitStatus == 1)
    }
}
