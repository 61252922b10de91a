import CacheSemantics
package import Conformance
import JSON
import ReportFormats
import Scenarios

/// The report of a run of mutants; pure.
package struct MutantReport: Sendable {
    private let summary: MutantSummary
    private let coverage: [RuleKillers]

    /// Creates a report; without `coversRules`, as for a part of the mutants, it omits the rules without a killer.
    package init(_ summary: MutantSummary, coversRules: Bool) {
        self.summary = summary
        coverage = coversRules ? summary.coverage() : []
    }

    /// Whether the summary is good and every rule is covered.
    package var isGood: Bool { summary.isGood && uncovered.isEmpty }

    /// Returns the report in a format.
    package func text(_ format: PageFormat) -> String {
        switch format {
        case .text: text
        case .json: json.written() + "\n"
        case .markdown: markdown
        case .html: html
        }
    }

    private var uncovered: [RuleKillers] { coverage.filter(\.mutants.isEmpty) }

    // MARK: Text

    private var text: String {
        var lines = summary.results.map { result in
            let mark = result.survives ? "SURVIVES" : "killed  "
            return "\(mark)  \(result.mutant.id): \(result.mutant.defect)\n" + detail(of: result)
        }
        lines.append("")
        lines += problems
        lines.append(closing)
        return lines.joined(separator: "\n") + "\n"
    }

    private func detail(of result: MutantResult) -> String {
        guard !result.killers.isEmpty else {
            return
                "          breaks \(result.mutant.rules.joined(separator: ", ")); \(result.trials) trials\n"
        }
        return result.killers.map { killer in
            "          by \(killer.scenario) [\(killer.kind.rawValue)], which is about "
                + "\(killer.rules.joined(separator: ", "))\n            \(killer.reason)\n"
        }.joined()
    }

    /// The problems of the run, one per line.
    private var problems: [String] {
        summary.intactFailures.map { "the intact cache fails \($0)" }
            + summary.results.flatMap { result in result.troubles.map { "\(result.mutant.id): \($0)" } }
            + summary.gaps.map { gap in
                "\(gap.mutant.id) breaks \(gap.unnoticed.joined(separator: ", ")): no scenario for these rules notices"
            }
            + uncovered.map { "\($0.rule.id) has no killer: \($0.rule.sentence)" }
    }

    private var closing: String {
        var sentences = [
            "\(summary.killed) of \(summary.results.count) mutants killed, \(summary.score) %; "
                + "\(summary.survivors.count) survive",
            "the intact cache passes \(summary.intactTrials - summary.intactFailures.count) of "
                + "\(summary.intactTrials) trials",
        ]
        if !coverage.isEmpty {
            sentences.append(
                "\(coverage.count - uncovered.count) of \(coverage.count) required rules of RFC 9111 have a killer"
            )
        }
        return sentences.joined(separator: "\n")
    }

    // MARK: JSON

    private var json: JSONValue {
        .object([
            ("mutants", .integer(summary.results.count)), ("killed", .integer(summary.killed)),
            ("score", .integer(summary.score)),
            ("intact-trials", .integer(summary.intactTrials)),
            ("intact-failures", JSONValue(summary.intactFailures)),
            ("results", .array(summary.results.map(json))),
            ("rules", .array(coverage.map(json))),
        ])
    }

    private func json(_ result: MutantResult) -> JSONValue {
        .object([
            ("id", .string(result.mutant.id)), ("defect", .string(result.mutant.defect)),
            ("rules", JSONValue(result.mutant.rules)), ("killed", .bool(!result.survives)),
            ("killers", .array(result.killers.map(json))), ("unnoticed", JSONValue(result.unnoticed)),
            ("trials", .integer(result.trials)), ("troubles", JSONValue(result.troubles)),
        ])
    }

    private func json(_ killer: Killer) -> JSONValue {
        .object([
            ("scenario", .string(killer.scenario)), ("cache", .string(killer.kind.rawValue)),
            ("rules", JSONValue(killer.rules)), ("reason", .string(killer.reason)),
        ])
    }

    private func json(_ killers: RuleKillers) -> JSONValue {
        .object([("rule", .string(killers.rule.id)), ("mutants", JSONValue(killers.mutants))])
    }

    // MARK: Tables

    /// One row for each mutant: its id, its defect, and how it was killed.
    private var rows: [[String]] {
        summary.results.map { result in
            let killer = result.killers.first
            return [
                result.mutant.id, result.mutant.defect,
                killer.map { "\($0.scenario) [\($0.kind.rawValue)]" } ?? "survives",
                (killer?.rules ?? result.mutant.rules).joined(separator: ", "),
            ]
        }
    }

    private var ruleRows: [[String]] {
        coverage.map { [$0.rule.id, $0.rule.sentence, $0.mutants.joined(separator: ", ")] }
    }

    private static let columns = ["mutant", "defect", "killer", "rule"]
    private static let ruleColumns = ["rule", "sentence", "mutants"]

    private var markdown: String {
        var parts = ["# Mutants\n\n\(closing)\n", Self.markdown(Self.columns, rows)]
        if !problems.isEmpty { parts.append(problems.map { "- \($0)\n" }.joined()) }
        if !coverage.isEmpty {
            parts.append("## Required rules of RFC 9111\n\n" + Self.markdown(Self.ruleColumns, ruleRows))
        }
        return parts.joined(separator: "\n")
    }

    private static func markdown(_ head: [String], _ rows: [[String]]) -> String {
        let rule = head.map { _ in "---" }
        return ([head, rule] + rows).map { cells in
            "| " + cells.map { $0.split(separator: "|").joined(separator: "\\|") }.joined(separator: " | ")
                + " |\n"
        }.joined()
    }

    private var html: String {
        let sentences = closing.split(separator: "\n").map { "<p>\(Markup.text(String($0)))</p>" }.joined()
        let list = problems.map { "<p>\(Markup.text($0))</p>" }.joined(separator: "\n")
        let rules =
            coverage.isEmpty
            ? "" : "<h2>Required rules of RFC 9111</h2>\n" + Self.html(Self.ruleColumns, ruleRows)
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Mutants</title><style>\(HTMLDocument.styleSheet)
            td { text-align: left; }</style></head>
            <body><header class="\(isGood ? "" : "bad")"><p class="brand">CacheCheck</p><h1>Mutants</h1>\(sentences)</header>
            <main>\(problems.isEmpty ? "" : "<div class=\"problems\">\(list)</div>")
            \(Self.html(Self.columns, rows))
            \(rules)</main></body></html>

            """
    }

    private static func html(_ head: [String], _ rows: [[String]]) -> String {
        let heads = head.map { "<th>\($0)</th>" }.joined()
        let body = rows.map { cells in
            "<tr>" + cells.map { "<td>\(Markup.text($0))</td>" }.joined() + "</tr>\n"
        }.joined()
        return "<table><thead><tr>\(heads)</tr></thead><tbody>\n\(body)</tbody></table>\n"
    }
}
