import Conformance
import Explanation
import HTTPTypes
import LocatedYAML

/// One self-contained file: an overview, and a page for each URL, which its address (`#url-1`) shows instead.
///
/// It needs no script, and prints as a whole.
struct AuditHTML {
    let report: AuditReport

    var page: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>CacheCheck audit: \(Markup.text(report.totals))</title>
        <style>
        \(HTMLStyle.sheet)
        \(AuditHTMLStyle.sheet)
        </style>
        </head>
        <body>
        \(header)
        <main>
        <section id="overview">
        \(problems)\(overview)\(AuditHTMLCost(report).section)\(uses)
        </section>
        \(report.urls.enumerated().map(section).joined(separator: "\n"))
        </main>
        </body>
        </html>

        """
    }

    private var header: String {
        let counts = AuditRule.Severity.allCases.map { ($0, count($0)) }
        let bars = counts.filter { $0.1 > 0 }.map { severity, count in
            "<i class=\"\(severity.rawValue)\" style=\"flex-grow:\(count)\" title=\"\(count) \(severity.rawValue)\"></i>"
        }
        let bar = bars.isEmpty ? "<i class=\"passed\" style=\"flex-grow:1\"></i>" : bars.joined()
        return """
            <header class="\(report.exitStatus == 0 ? "good" : "bad")">
            <p class="brand"><a href="#overview">CacheCheck audit</a></p>
            <h1>\(Markup.text(report.totals))</h1>
            <div class="bar">\(bar)</div>
            </header>
            """
    }

    private func count(_ severity: AuditRule.Severity) -> Int {
        report.findings.filter { report.level($0) == severity }.count
    }

    private var problems: String {
        if report.policyFindings.isEmpty { return "" }
        let items = report.policyFindings.map { "<li>\(Markup.text($0.message))</li>" }
        return "<div class=\"problems\"><h2>Policy</h2><ul>\(items.joined())</ul></div>\n"
    }

    // MARK: Overview

    private var overview: String {
        let rows = report.urls.enumerated().map { index, result in
            let cells = AuditRule.Severity.allCases.map { severity in
                let count = result.findings.filter { $0.counts && report.level($0) == severity }.count
                return "<td class=\"\(count == 0 ? "zero" : severity.rawValue)\">\(count)</td>"
            }
            let status = result.exchange.map { "\($0.status)" } ?? "–"
            return
                "<tr><th><a href=\"#url-\(index + 1)\">\(Markup.text(result.url))</a></th><td>\(status)</td>"
                + "\(cells.joined())</tr>"
        }
        return """
            <div class="wide urls"><table>
            <thead><tr><th>URL</th><th>status</th><th>errors</th><th>warnings</th><th>advice</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            \(omitted)
            """
    }

    private var omitted: String {
        report.omitted.map {
            "<p class=\"where\">\($0.count) left out: \(Markup.text($0.reason))</p>"
        }.joined()
    }

    /// What caches have done, as long as nobody could scroll through it.
    private var uses: String {
        guard let totals = report.totalsOfUses else { return "" }
        let rows = report.uses.filter { $0.verdict != .needed }.prefix(500).map { use in
            "<tr><th>\(Markup.text(use.url))</th><td class=\"text \(use.verdict.rawValue)\">\(Markup.text(use.line))</td></tr>"
        }
        return "<h2>What caches did</h2><p>\(Markup.text(totals))</p><div class=\"wide\"><table><tbody>"
            + rows.joined(separator: "\n") + "</tbody></table></div>"
    }

    // MARK: The page of a URL

    private func section(_ index: Int, _ result: AuditedURL) -> String {
        """
        <section class="page" id="url-\(index + 1)">
        <p class="where"><a href="#overview">all URLs</a> · \(neighbour(index, -1, "previous")) · \(neighbour(index, 1, "next"))</p>
        <h2>\(Markup.text(result.url))</h2>
        \(facts(result))
        \(result.findings.map(finding).joined(separator: "\n"))
        \(result.outcomes.map(outcome(result)).joined(separator: "\n"))
        \(head(result))\(probes(result))
        </section>
        """
    }

    private func neighbour(_ index: Int, _ step: Int, _ text: String) -> String {
        report.urls.indices.contains(index + step) ? "<a href=\"#url-\(index + step + 1)\">\(text)</a>" : text
    }

    private func facts(_ result: AuditedURL) -> String {
        var parts: [String] = []
        if let exchange = result.exchange { parts.append("status \(exchange.status)") }
        if let size = result.size { parts.append(ByteText.text(size)) }
        if !result.origin.isEmpty { parts.append(result.origin) }
        if let failure = result.failure { parts.append("not audited: \(failure)") }
        return "<p>\(Markup.text(parts.joined(separator: " · ")))</p>"
    }

    private func finding(_ finding: AuditFinding) -> String {
        let level = finding.counts ? report.level(finding).rawValue : "ignored"
        var lines = FindingText.details(finding)
        if let reason = finding.ignored { lines.append("ignored: \(reason)") }
        let details = lines.map { "<p>\(Markup.text($0))</p>" }.joined()
        let page = AuditRule.named(finding.rule)?.page
        let section = Markup.text(finding.section)
        let link = page.map { "<a href=\"\(Markup.attribute($0))\">\(section)</a>" } ?? section
        return """
            <details class="\(level)" open><summary><span class="mark">\(level)</span>\
            <span class="title">\(Markup.text(finding.message))</span></summary>\(details)\
            <p class="where"><code>\(Markup.text(finding.rule))</code> · \(link)</p></details>
            """
    }

    private func outcome(_ result: AuditedURL) -> (CacheOutcome) -> String {
        { outcome in
            let rows = outcome.explanation.statements.map {
                "<li>\(Markup.text($0.sentence)) <small>\(Markup.text($0.section))</small></li>"
            }
            return """
                <details><summary><span class="mark">\(Markup.text(outcome.cache.name))</span>\
                <span class="title">\(Markup.text(outcome.line(size: result.size)))</span></summary>\
                <ul>\(rows.joined())</ul></details>
                """
        }
    }

    private func head(_ result: AuditedURL) -> String {
        guard let exchange = result.exchange else { return "" }
        let lines = exchange.fields.map { "\($0.name.rawName): \($0.value)" }
        return "<details><summary><span class=\"title\">fields of the response</span></summary>"
            + "<pre>\(Markup.text(lines.joined(separator: "\n")))</pre></details>\n"
    }

    private func probes(_ result: AuditedURL) -> String {
        guard !result.probes.isEmpty || !result.skipped.isEmpty else { return "" }
        let made = result.probes.map { "<li><code>\(Markup.text($0))</code></li>" }
        let skipped = result.skipped.map {
            "<li><code>\(Markup.text($0.probe))</code> not made: \(Markup.text($0.reason))</li>"
        }
        let title = AuditReport.counted(result.probes.count, "probe")
        return
            "<details><summary><span class=\"title\">\(title)</span></summary><ul>\((made + skipped).joined())</ul></details>"
    }
}

/// Styles beside those of the reports on scenarios.
enum AuditHTMLStyle {
    static let sheet = """
        h1 { font-size: 22px; } header a { text-decoration: none; }
        .wide { overflow-x: auto; } table th:first-child { overflow-wrap: anywhere; min-width: 140px; }
        td.text { text-align: left; }
        .bar .error { background: var(--bad); } .bar .warning { background: var(--warn); }
        td.error, td.forbidden, .error .mark { color: var(--bad); font-weight: 650; }
        td.warning, td.avoidable, .warning .mark { color: var(--warn); }
        details.error { border-left: 4px solid var(--bad); } details.warning { border-left: 4px solid var(--warn); }
        .ignored { opacity: .65; }
        details > ul { margin: 6px 16px 10px; padding-left: 18px; } details > pre { margin: 6px 16px 10px; }
        details p, summary .title { overflow-wrap: anywhere; min-width: 0; } h2 { overflow-wrap: anywhere; }
        .page { display: none; } .page:target { display: block; }
        main:has(.page:target) #overview { display: none; }
        .cost .bar { margin: 4px 0 14px; height: 14px; } .cost .wasted { background: var(--bad); }
        .cost .saved { background: var(--good); } .cost p { margin: 0; }
        @media (max-width: 600px) { main { padding: 12px; } header { padding: 16px 12px; } th, td { padding: 5px 7px; }
          .urls tr > :nth-child(2) { display: none; } table th:first-child { min-width: 100px; }
          summary { flex-wrap: wrap; } summary .title { flex-basis: 100%; } }
        @media print { .page { display: block; break-before: page; } }
        """
}

/// What a returning visitor saves and wastes: bars for all URLs, and a table.
struct AuditHTMLCost {
    private let costs: VisitorCosts
    private let isWanted: Bool

    init(_ report: AuditReport) {
        costs = VisitorCosts(report)
        isWanted = report.showsCost
    }

    var section: String {
        guard isWanted, !costs.urls.isEmpty else { return "" }
        let heads = VisitorCosts.names.map { "<th>\($0)</th>" }.joined()
        return """
            <div class="cost"><h2>A returning visitor</h2>
            \(VisitorCost.times.indices.map(bar).joined(separator: "\n"))
            <div class="wide"><table><thead><tr><th>URL</th><th>size</th>\(heads)</tr></thead><tbody>
            \(costs.urls.map(row).joined(separator: "\n"))
            </tbody></table></div></div>
            """
    }

    private func bar(_ visit: Int) -> String {
        let (saved, wasted) = (costs.saved(visit), costs.wasted(visit))
        let parts = [("saved", saved), ("wasted", wasted)].filter { $0.1 > 0 }.map { name, bytes in
            "<i class=\"\(name)\" style=\"flex-grow:\(bytes)\" title=\"\(ByteText.text(bytes)) \(name)\"></i>"
        }
        return "<p>\(VisitorCosts.names[visit]): \(AuditReport.counted(costs.requests(visit), "request")) of "
            + "\(costs.urls.count), \(ByteText.text(saved)) saved, \(ByteText.text(wasted)) wasted</p>"
            + "<div class=\"bar\">\(parts.joined())</div>"
    }

    private func row(_ cost: VisitorCost) -> String {
        let cells = cost.visits.map {
            "<td class=\"\($0 == .transfer ? "error" : "")\">\(CostTable.word($0))</td>"
        }
        return
            "<tr><th>\(Markup.text(cost.url))</th><td>\(ByteText.text(cost.size))</td>\(cells.joined())</tr>"
    }
}
