import Explanation
import HTTPTypes
import ReportFormats

/// The pages of a report's URLs.
struct AuditHTMLPages {
    /// The name of each page, which depends on its URL only.
    let names: [String]
    private let report: AuditReport

    init(_ report: AuditReport) {
        self.report = report
        names = Self.names(of: report.urls)
    }

    /// Returns the readable part of each URL with a hash of the whole; an archive may have several results of one URL.
    private static func names(of results: [AuditedURL]) -> [String] {
        var counts: [String: Int] = [:]
        return results.map { result in
            let name = name(of: NonexistentPage.steadyURL(of: result))
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            return count == 1 ? name : "\(name)-\(count)"
        }
    }

    private static func name(of url: String) -> String {
        let address = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let words = address.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let readable = words.joined(separator: "-").lowercased().prefix(60)
        let hash = String(url.stableHash & 0xFFFF_FFFF, radix: 16)
        return "\(readable)-\(String(repeating: "0", count: 8 - hash.count))\(hash)"
    }

    func section(_ index: Int, _ links: AuditHTMLLinks) -> String {
        let result = report.urls[index]
        let neighbours = "\(neighbour(index - 1, "previous", links)) · \(neighbour(index + 1, "next", links))"
        return """
            <section class="page" id="\(names[index])">
            <p class="where"><a href="\(links.overview)">all URLs</a> · \(neighbours)</p>
            <h2>\(Markup.text(result.url))</h2>
            \(facts(result))
            \(result.findings.map(finding).joined(separator: "\n"))
            \(result.outcomes.map(outcome(result)).joined(separator: "\n"))
            \(head(result))\(probes(result))
            </section>
            """
    }

    private func neighbour(_ index: Int, _ text: String, _ links: AuditHTMLLinks) -> String {
        report.urls.indices.contains(index) ? "<a href=\"\(links.page(index))\">\(text)</a>" : text
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
        let made = result.probes.map { "<code>\(Markup.text($0))</code>" }
        let skipped = result.skippedByReason.map { reason, probes in
            "<li>not made (\(Markup.text(reason))): \(probes.map { "<code>\(Markup.text($0))</code>" }.joined(separator: ", "))</li>"
        }
        let title = counted(result.probes.count, "probe")
        return "<details><summary><span class=\"title\">\(title)</span></summary><ul><li>made: "
            + "\(made.joined(separator: ", "))</li>\(skipped.joined())</ul></details>"
    }
}
