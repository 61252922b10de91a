import ReportFormats

/// The savings and waste of returning visitors: bars for all URLs, and a table.
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
        return "<p>\(VisitorCosts.names[visit]): \(costs.summary(visit))</p>"
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
