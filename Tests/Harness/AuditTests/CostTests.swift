import HTTPArchive
import Testing

@testable import Audit

@Suite("What a returning visitor requests")
struct CostTests {
    struct CostRow: Sendable, CustomTestStringConvertible {
        let control: String
        let visits: [ReuseCost]
        var testDescription: String { control }
    }

    /// After an hour, a day and a week, by RFC 9111 §4.2, RFC 5861 §3 and RFC 9111 §5.2.2.5.
    static let rows = [
        CostRow(control: "max-age=31536000", visits: [.nothing, .nothing, .nothing]),
        CostRow(control: "max-age=7200", visits: [.nothing, .validation, .validation]),
        CostRow(control: "no-cache", visits: [.validation, .validation, .validation]),
        CostRow(control: "no-store", visits: [.transfer, .transfer, .transfer]),
        CostRow(
            control: "max-age=60, stale-while-revalidate=86400",
            visits: [.background, .background, .validation]
        ),
    ]

    private func result(_ control: String) -> AuditedURL {
        judged(exchange("/a", ["Cache-Control": control, "ETag": "\"v1\"", "Content-Length": "1000"]))
    }

    @Test("The engine decides what each visit costs", arguments: rows)
    func visits(_ row: CostRow) throws {
        #expect(try #require(VisitorCost(result(row.control))).visits == row.visits)
    }

    @Test("A validation that gets no 304 is a full transfer")
    func unvalidated() throws {
        var result = result("no-cache")
        result.answers["if-none-match"] = exchange("/a", ["ETag": "\"v1\""])
        let cost = try #require(VisitorCost(result))
        #expect(cost.visits == [.transfer, .transfer, .transfer])
        #expect(cost.wasted(0) == 1000)
        #expect(cost.saved(0) == 0)
    }

    @Test("A size that is not known is not zero, whether it is saved or wasted")
    func unknownSize() throws {
        var report = AuditReport()
        var recorded = exchange("/a", ["Cache-Control": "no-store"])
        recorded.hasWholeContent = false
        report.urls = [judged(recorded), result("max-age=7200")]
        report.showsCost = true
        let cost = try #require(VisitorCost(report.urls[0]))
        #expect(cost.size == nil)
        #expect(cost.wasted(0) == nil)
        #expect(cost.saved(0) == 0)
        for kind in [AuditReportKind.text, .markdown, .html] {
            let text = kind.text(of: report, source: "")
            #expect(text.contains("unknown"))
            #expect(text.contains("1.0 kB saved, 0 bytes wasted, without 1 response of unknown size"))
        }
    }

    @Test(
        "An archive has the size of a response without Content-Length, as received or else decoded",
        arguments: [
            ("\"bodySize\": 700, \"content\": {\"size\": 1000}", 700),
            ("\"bodySize\": -1, \"content\": {\"size\": 1000}", 1000),
            ("\"bodySize\": -1, \"content\": {\"size\": -1}", nil), ("\"content\": {}", nil),
        ] as [(String, Int?)]
    )
    func archivedSize(sizes: String, expected: Int?) throws {
        let text = """
            {"log": {"entries": [{"startedDateTime": "2026-09-21T12:00:00Z",
             "request": {"method": "GET", "url": "https://a.example/"},
             "response": {"status": 200, "headers": [{"name": "Cache-Control", "value": "no-store"}], \(sizes)}}]}}
            """
        var audit = ArchiveAudit(AuditSettings())
        audit.add(try HTTPArchive(json: text, file: "a.har"))
        #expect(audit.report.urls.first.flatMap { VisitorCost($0) }?.size == expected)
    }

    @Test("The URL that wastes most comes first, and the totals are sums")
    func totals() {
        var report = AuditReport()
        report.urls = [result("max-age=31536000"), result("no-store"), result("max-age=7200")]
        let costs = VisitorCosts(report)
        #expect(costs.urls.first?.visits == [.transfer, .transfer, .transfer])
        #expect((costs.requests(0), costs.requests(1)) == (1, 2))
        #expect((costs.saved(1), costs.wasted(1)) == (2000, 1000))
        let lines = CostTable(report).lines
        #expect(lines.count == 7)
        #expect(
            lines[4] == "after an hour  █████████████░░░░░░░  1 request of 3, 2.0 kB saved, 1.0 kB wasted"
        )
    }

    @Test("A report without a response to GET has no cost")
    func nothing() {
        var report = AuditReport()
        report.urls = [AuditedURL(url: "https://down.example/")]
        #expect(CostTable(report).lines.isEmpty)
    }

    /// Returns the addresses of links within a report.
    private func links(_ text: String) -> [Substring] {
        text.split(separator: "href=\"").dropFirst().map { $0.prefix { $0 != "\"" } }.filter {
            !$0.hasPrefix("http")
        }
    }

    @Test("Each link of a folder leads to a file, whose name depends on its URL alone")
    func files() {
        var report = AuditReport()
        report.urls = [result("no-store"), result("no-cache"), judged(exchange("/b?c=1", ["ETag": "\"1\""]))]
        let files = AuditReportKind.html.files(of: report)
        let names = Set(files.map(\.name))
        #expect(names.count == 4 && names.contains("index.html"))
        for file in files { #expect(links(file.text).allSatisfy { names.contains(String($0)) }) }
        report.urls.reverse()
        #expect(Set(AuditReportKind.html.files(of: report).map(\.name)) == names)
    }

    @Test("The page has a part for each URL, which its address shows, and escapes what the server sent")
    func page() {
        var report = AuditReport()
        report.urls = [result("no-store"), judged(exchange("/<b>", ["X-Text": "<script>alert(1)</script>"]))]
        report.showsCost = true
        let page = AuditReportKind.html.text(of: report, source: "")
        let places = links(page).filter { $0 != "#overview" }
        #expect(Set(places).count == 2)
        #expect(places.allSatisfy { page.contains("id=\"\($0.dropFirst())\"") })
        #expect(page.contains("A returning visitor"))
        #expect(!page.contains("<script>") && !page.contains("/<b>"))
    }
}
