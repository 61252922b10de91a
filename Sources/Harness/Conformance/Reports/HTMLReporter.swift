import CacheSemantics
import Scenarios

/// One self-contained page: the totals, a table by area, and every scenario in a collapsible section.
struct HTMLReporter: PageReporter {
    var run = RunDescription(subject: "", transport: "", count: 0)
    var results: [ScenarioResult] = []

    func page(_ summary: RunSummary) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>CacheCheck: \(summary.total.failed == 0 ? "passed" : "failed")</title>
        <style>
        \(HTMLStyle.sheet)
        </style>
        </head>
        <body>
        \(header(summary))
        <main>
        \(problems(summary))\(table(summary))
        \(controls)
        \(summary.areas.map(section).joined(separator: "\n"))
        </main>
        <script>
        \(HTMLStyle.script)
        </script>
        </body>
        </html>

        """
    }

    private func header(_ summary: RunSummary) -> String {
        let total = summary.total
        let isGood = summary.exitStatus == 0
        let bars = ResultStatus.allCases.filter { total[$0] > 0 }.map { standing in
            "<i class=\"\(standing.rawValue)\" style=\"flex-grow:\(total[standing])\" "
                + "title=\"\(total[standing]) \(Self.word(standing))\"></i>"
        }
        return """
            <header class="\(isGood ? "good" : "bad")">
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
            row($0, name: "<a href=\"#\(Self.anchor($0.area))\">\(Markup.text($0.area))</a>")
        }
        return """
            <table>
            <thead><tr><th>area</th><th>passed</th><th>failed</th><th>skipped</th><th>noted</th><th>time</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            <tfoot>\(row(summary.total, name: "total"))</tfoot>
            </table>
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

    private var controls: String {
        """
        <form class="controls" onsubmit="return false">
        <input id="find" type="search" placeholder="Find by id, title or rule" aria-label="Find">
        <label><input id="only" type="checkbox"> hide passed</label>
        </form>
        """
    }

    private func section(_ area: AreaCounts) -> String {
        let scenarios = results.filter { $0.area == area.area }.map(HTMLScenario.details)
        return """
            <section class="area" id="\(Self.anchor(area.area))">
            <h2>\(Markup.text(area.area)) <small>\(area.passed) of \(area.all)</small></h2>
            \(scenarios.joined(separator: "\n"))
            </section>
            """
    }

    static func word(_ standing: ResultStatus) -> String {
        standing == .broken
            ? "harness errors" : standing.rawValue.split(separator: "-").joined(separator: " ")
    }

    private static func anchor(_ area: String) -> String {
        "area-" + Markup.attribute(area.map { $0 == "/" || $0 == " " ? "-" : String($0) }.joined())
    }
}
