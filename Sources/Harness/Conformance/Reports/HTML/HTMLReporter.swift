import CacheSemantics
import JSON
import ReportFormats
import Scenarios

/// One self-contained page: the totals, the groups of failures, every scenario with filters, and a table by area.
///
/// The fragment of its URL contains the selection, and each scenario has one, such as
/// `#scenario=http/4.2.1-freshness-lifetime/sources/max-age/private`. The scenarios need a browser with
/// DecompressionStream (2023 or later); the rest needs no script.
struct HTMLReporter: PageReporter {
    var catalogue = RuleCatalogue.standard
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func page(_ summary: RunSummary) -> String {
        let script = HTMLDocument.script(EmbeddedFiles.data_js, EmbeddedFiles.report_js)
        return HTMLDocument.text(
            title: "CacheCheck: \(summary.total.failed == 0 ? "passed" : "failed")",
            header: header(summary),
            main: """
                \(problems(summary))\(HTMLGroups(catalogue: catalogue).section(results))\(Self.list)
                \(table(summary))
                """,
            end: HTMLData.element(data(summary)) + "\n" + script
        )
    }

    private func data(_ summary: RunSummary) -> JSONValue {
        let areas = summary.areas.map(\.area)
        let indices = Dictionary(areas.enumerated().map { ($1, $0) }) { first, _ in first }
        let scenario = HTMLScenario(catalogue: catalogue)
        return .object([
            ("areas", JSONValue(areas)),
            ("scenarios", .array(results.map { scenario.value($0, area: indices[$0.area] ?? 0) })),
        ])
    }

    private static let list = """
        <section>
        <h2>Scenarios</h2>
        <form class="controls" id="choices">
        <input id="find" type="search" placeholder="Find by id, title or rule" aria-label="Find">
        <select id="area" aria-label="Area"></select>
        </form>
        <p class="count" id="count">The list of scenarios needs JavaScript.</p>
        <div id="scenarios"></div>
        </section>
        """

    private func header(_ summary: RunSummary) -> String {
        let total = summary.total
        let bars = ResultStatus.allCases.filter { total[$0] > 0 }.map { standing in
            "<i class=\"\(standing.rawValue)\" style=\"flex-grow:\(total[standing])\" "
                + "title=\"\(total[standing]) \(Self.word(standing))\"></i>"
        }
        return """
            <header class="\(summary.exitStatus == 0 ? "good" : "bad")">
            <p class="brand">CacheCheck</p>
            <h1>\(summary.line)</h1>
            <p>\(Markup.text(run.subject)) · \(Markup.text(run.transport)) · \(decimal(summary.seconds, places: 2)) s wall time</p>
            <div class="bar">\(bars.joined())</div>
            </header>
            """
    }

    private func problems(_ summary: RunSummary) -> String {
        if summary.baselineProblems.isEmpty { return "" }
        let items = summary.baselineProblems.map { "<li>\(Markup.text($0))</li>" }
        return "<section class=\"problems\"><h2>Baseline</h2><ul>\(items.joined())</ul></section>\n"
    }

    private func table(_ summary: RunSummary) -> String {
        let rows = summary.areas.map {
            row(
                $0,
                name:
                    "<a href=\"#area=\(Markup.attribute($0.area))&amp;status=all\">\(Markup.text($0.area))</a>"
            )
        }
        return """
            <section>
            <h2>Areas</h2>
            <div class="wide"><table>
            <thead><tr><th>area</th><th>passed</th><th>failed</th><th>skipped</th><th>noted</th><th>time</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            <tfoot>\(row(summary.total, name: "total"))</tfoot>
            </table></div>
            </section>
            """
    }

    private func row(_ area: AreaCounts, name: String) -> String {
        let cells = [area.passed, area.failed, area[.skipped], area[.noted]]
        let classes = ["passed", "failed", "skipped", "noted"]
        let numbers = zip(cells, classes).map { count, name in
            "<td class=\"\(count == 0 ? "zero" : name)\">\(count)</td>"
        }
        return "<tr><th>\(name)</th>\(numbers.joined())<td>\(decimal(area.seconds, places: 2)) s</td></tr>"
    }

    static func word(_ standing: ResultStatus) -> String {
        standing == .broken
            ? "harness errors" : standing.rawValue.split(separator: "-").joined(separator: " ")
    }
}
