import CacheSemantics
import JSON
import ReportFormats
package import Scenarios

/// The rules and their checks, as text for people and as JSON for programs.
package struct RuleList: Sendable {
    private let entries: [RuleCoverage.Entry]

    /// Creates the list of the rules of `coverage` that `isIncluded` selects.
    package init(_ coverage: RuleCoverage, isIncluded: (CatalogueRule) -> Bool) {
        entries = coverage.entries.filter { isIncluded($0.rule) }
    }

    /// A line for each rule with its checks below, then the totals.
    ///
    /// If all rules are of documents, implied rules come last, and the last line states how many of all rules are
    /// checked.
    package var text: String {
        let isOfDocuments = !entries.isEmpty && entries.allSatisfy { $0.rule.verdict != nil }
        let body = isOfDocuments ? linesByStatement : entries.flatMap(lines)
        return (body + [""] + totals + (isOfDocuments ? statementTotals : [])).map { $0 + "\n" }.joined()
    }

    private var stated: [RuleCoverage.Entry] { entries.filter { $0.rule.verdict != .implied } }

    private var implied: [RuleCoverage.Entry] { entries.filter { $0.rule.verdict == .implied } }

    private var linesByStatement: [String] {
        stated.flatMap(lines) + ["", "Implied, not stated:", ""] + implied.flatMap(lines)
    }

    /// The coverage of the documents' rules; the last line counts only rules that a mutant has violated as checked.
    private var statementTotals: [String] {
        func share(_ entries: [RuleCoverage.Entry], _ name: String) -> String {
            "\(entries.count(where: \.isChecked)) of \(entries.count) \(name)"
        }
        let violable = entries.filter(\.rule.isViolable)
        let advice = entries.count { $0.rule.verdict == .advice }
        let others = entries.count - violable.count - advice
        return [
            share(stated, "stated") + ", " + share(implied, "implied") + " are named by a scenario or a test",
            "\(advice) are advice and \(others) cannot be violated here; neither is counted below",
            "\(violable.count(where: \.isProved)) of \(violable.count) checked: "
                + "a recorded mutant makes one of their checks fail",
        ]
    }

    /// One object: `rules` (`id`, `level`, `source`, `sentence`, `citation` where there is one, `corrected`, `verdict`,
    /// `pending`, `scenarios`, `tests`, `violable`, `violation`) and `totals`.
    package var json: String {
        let counts = count()
        let totals: JSONValue = .object([
            ("rules", .integer(entries.count)), ("checked", .integer(counts.checked)),
            ("pending", .integer(counts.pending)), ("unchecked", .integer(counts.unchecked)),
            ("corrected", .integer(counts.corrected)),
        ])
        return JSONValue.object([("rules", .array(entries.map(value))), ("totals", totals)]).written() + "\n"
    }

    private func lines(_ entry: RuleCoverage.Entry) -> [String] {
        let rule = entry.rule
        let mark = rule.verdict.map { ", " + $0.word } ?? ""
        var lines = ["\(rule.id)  \(rule.level.rawValue), \(rule.source)\(mark)", "  \(rule.sentence)"]
        if let citation = rule.citation {
            lines.append("  \(citation.section), \(citation.keyword.rawValue): \"\(citation.sentence)\"")
        }
        if let title = rule.pending { lines.append("  pending: \(title)") }
        if let reason = rule.unviolableReason { lines.append("  cannot be violated: \(reason)") }
        lines += entry.scenarios.map { "  scenario \($0)" } + entry.tests.map { "  test \($0)" }
        if let violation = entry.violation {
            lines.append("  violated by \(violation.mutant)")
            lines.append("  noticed by \(violation.check)")
        }
        if rule.pending == nil, !entry.isChecked { lines.append("  NOT CHECKED") }
        return lines
    }

    private func value(_ entry: RuleCoverage.Entry) -> JSONValue {
        let rule = entry.rule
        let citation = rule.citation.map { [("citation", value($0))] } ?? []
        return .object(
            [
                ("id", .string(rule.id)), ("level", .string(rule.level.rawValue)),
                ("source", .string(rule.source)), ("sentence", .string(rule.sentence)),
            ] + citation + [
                ("corrected", .bool(rule.isCorrected)), ("verdict", JSONValue(rule.verdict?.word)),
                ("pending", JSONValue(rule.pending)), ("scenarios", JSONValue(entry.scenarios)),
                ("tests", JSONValue(entry.tests)), ("violable", .bool(rule.isViolable)),
                ("violation", entry.violation.map(value) ?? .null),
            ]
        )
    }

    private func value(_ violation: RuleViolations.Violation) -> JSONValue {
        .object([("mutant", .string(violation.mutant)), ("check", .string(violation.check))])
    }

    private func value(_ citation: Citation) -> JSONValue {
        .object([
            ("section", .string(citation.section)), ("keyword", .string(citation.keyword.rawValue)),
            ("sentence", .string(citation.sentence)),
        ])
    }

    private var totals: [String] {
        let levels = RuleLevel.allCases.compactMap { level in
            let count = entries.count { $0.rule.level == level }
            return count == 0 ? nil : "\(count) \(level.rawValue)"
        }
        let counts = count()
        return [
            "\(counted(entries.count, "rule")): \(levels.joined(separator: ", "))",
            "\(counts.checked) checked, \(counts.pending) pending, \(counts.unchecked) not checked, "
                + "\(counts.corrected) corrected",
        ]
    }

    private func count() -> (checked: Int, pending: Int, unchecked: Int, corrected: Int) {
        (
            entries.count(where: \.isChecked),
            entries.count { $0.rule.pending != nil },
            entries.count { $0.rule.pending == nil && !$0.isChecked },
            entries.count(where: \.rule.isCorrected)
        )
    }
}
