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
        #expect((cost.wasted(0), cost.saved(0)) == (1000, 0))
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

    /// The addresses of links within a report.
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
