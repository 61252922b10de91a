/// The savings and waste of returning visitors, as a table with bars.
struct CostTable {
    private let costs: VisitorCosts
    private static let barLength = 20
    /// That of the longest URL, unless it is unusually long.
    private let width: Int

    init(_ report: AuditReport) {
        costs = VisitorCosts(report)
        width = min(costs.urls.map(\.url.count).max() ?? 0, 100)
    }

    /// Lines of text: the table by URL, then the totals as bars.
    var lines: [String] {
        guard !costs.urls.isEmpty else { return [] }
        let head =
            ["returning visitor".padded(to: width), "size".padded(to: 12)]
            + VisitorCosts.names.map { $0.padded(to: 15) }
        let rows = costs.urls.map { cost in
            ([cost.url.padded(to: width), ByteText.text(cost.size).padded(to: 12)]
                + cost.visits.map { Self.word($0).padded(to: 15) })
                .joined(separator: "  ")
        }
        return [head.joined(separator: "  ")] + rows + VisitorCost.times.indices.map(total)
    }

    private func total(_ visit: Int) -> String {
        let (saved, wasted) = (costs.saved(visit), costs.wasted(visit))
        let share = saved + wasted == 0 ? 1 : Double(saved) / Double(saved + wasted)
        let full = Int((share * Double(Self.barLength)).rounded())
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.barLength - full)
        return "\(VisitorCosts.names[visit].padded(to: 13))  \(bar)  "
            + costs.summary(visit)
    }

    static func word(_ cost: ReuseCost) -> String {
        switch cost {
        case .nothing: "no request"
        case .background: "in background"
        case .validation: "validation"
        case .transfer: "full transfer"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
