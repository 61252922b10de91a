import ReportFormats

/// An overview, and a page for each URL, in one file or in a folder; without scripts.
///
/// In one file the address shows a page (`#NAME`), in a folder it is a file (`NAME.html`); the names are the same in each
/// audit. One file prints as a whole.
struct AuditHTML {
    let report: AuditReport
    private let pages: AuditHTMLPages

    init(report: AuditReport) {
        self.report = report
        pages = AuditHTMLPages(report)
    }

    /// One file with all pages.
    var page: String {
        let links = AuditHTMLLinks(names: pages.names, isFolder: false)
        let sections = report.urls.indices.map { pages.section($0, links) }
        return document(
            "<section id=\"overview\">\n\(overview(links))\n</section>\n<div class=\"pages\">\n"
                + sections.joined(separator: "\n") + "\n</div>",
            links
        )
    }

    /// The files of a folder by their names: `index.html`, and one for each URL.
    var files: [(name: String, text: String)] {
        let links = AuditHTMLLinks(names: pages.names, isFolder: true)
        let index = ("index.html", document(overview(links), links))
        return [index]
            + report.urls.indices.map { index in
                (pages.names[index] + ".html", document(pages.section(index, links), links))
            }
    }

    private func document(_ main: String, _ links: AuditHTMLLinks) -> String {
        HTMLDocument.text(
            title: "CacheCheck audit: \(report.totals)",
            style: AuditHTMLStyle.sheet,
            header: header(links),
            main: main
        )
    }

    private func header(_ links: AuditHTMLLinks) -> String {
        let counts = AuditRule.Severity.allCases.map { ($0, count($0)) }
        let bars = counts.filter { $0.1 > 0 }.map { severity, count in
            "<i class=\"\(severity.rawValue)\" style=\"flex-grow:\(count)\" title=\"\(count) \(severity.rawValue)\"></i>"
        }
        let bar = bars.isEmpty ? "<i class=\"passed\" style=\"flex-grow:1\"></i>" : bars.joined()
        return """
            <header class="\(report.exitStatus == 0 ? "good" : "bad")">
            <p class="brand"><a href="\(links.overview)">CacheCheck audit</a></p>
            <h1>\(Markup.text(report.totals))</h1>
            <div class="bar">\(bar)</div>
            </header>
            """
    }

    private func count(_ severity: AuditRule.Severity) -> Int {
        report.findings.filter { report.level($0) == severity }.count
    }

    // MARK: Overview

    private func overview(_ links: AuditHTMLLinks) -> String {
        [problems, rules(links), table(links), omitted, AuditHTMLCost(report).section, uses].filter {
            !$0.isEmpty
        }
        .joined(separator: "\n")
    }

    private var problems: String {
        if report.policyFindings.isEmpty { return "" }
        let items = report.policyFindings.map { "<li>\(Markup.text($0.message))</li>" }
        return "<div class=\"problems\"><h2>Policy</h2><ul>\(items.joined())</ul></div>"
    }

    private func table(_ links: AuditHTMLLinks) -> String {
        let rows = report.urls.enumerated().map { index, result in
            let cells = AuditRule.Severity.allCases.map { severity in
                let count = result.findings.filter { $0.counts && report.level($0) == severity }.count
                return "<td class=\"\(count == 0 ? "zero" : severity.rawValue)\">\(count)</td>"
            }
            let status = result.exchange.map { "\($0.status)" } ?? "–"
            // Three zeros would suggest that it is correct.
            let found =
                result.failure != nil && result.findings.isEmpty
                ? "<td colspan=\"3\" class=\"error\">not audited</td>" : cells.joined()
            return
                "<tr><th><a href=\"\(links.page(index))\">\(Markup.text(result.url))</a></th><td>\(status)</td>"
                + "\(found)</tr>"
        }
        return """
            <h2>URLs</h2>
            <div class="wide urls"><table>
            <thead><tr><th>URL</th><th>status</th><th>errors</th><th>warnings</th><th>advice</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
    }

    /// Returns the markup of the rules with findings, each with the first URLs.
    private func rules(_ links: AuditHTMLLinks) -> String {
        let counts = report.countsByRule
        guard !counts.isEmpty else { return "" }
        let rows = counts.map { count in
            let shown = count.urls.prefix(3).map {
                "<a href=\"\(links.page($0))\">\(Markup.text(report.urls[$0].url))</a>"
            }
            let more = count.urls.count > 3 ? "and \(count.urls.count - 3) more" : ""
            let title = AuditRule.named(count.rule)?.title ?? count.rule
            return
                "<tr><th class=\"\(count.level.rawValue)\"><span class=\"mark\">\(count.level.rawValue)</span> "
                + "\(Markup.text(title))</th>"
                + "<td>\(count.urls.count)</td><td>\(shown.joined(separator: " "))\(more)</td></tr>"
        }
        return """
            <h2>Findings by rule</h2>
            <div class="wide by-rule"><table>
            <thead><tr><th>rule</th><th>URLs</th><th></th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
    }

    private var omitted: String {
        report.omitted.map {
            "<p class=\"where\">\($0.count) left out: \(Markup.text($0.reason))</p>"
        }.joined()
    }

    /// The totals of what caches did, and at most 500 uses with another verdict than `needed`.
    private var uses: String {
        guard let totals = report.totalsOfUses else { return "" }
        let rows = report.uses.filter { $0.verdict != .needed }.prefix(500).map { use in
            "<tr><th>\(Markup.text(use.url))</th><td class=\"text \(use.verdict.rawValue)\">\(Markup.text(use.line))</td></tr>"
        }
        return "<h2>What caches did</h2><p>\(Markup.text(totals))</p><div class=\"wide\"><table><tbody>"
            + rows.joined(separator: "\n") + "</tbody></table></div>"
    }
}

/// The addresses of the pages of a report.
struct AuditHTMLLinks {
    /// The names of the pages, in the order of the URLs.
    let names: [String]
    /// Whether each page is a separate file.
    let isFolder: Bool

    var overview: String { isFolder ? "index.html" : "#overview" }

    func page(_ index: Int) -> String { isFolder ? names[index] + ".html" : "#" + names[index] }
}
