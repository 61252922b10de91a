import CacheSemantics
import LocatedYAML
package import Scenarios

/// All details of one result that explain it: the requirement, the scenario, each step, and the bytes on
/// the origin's connections.
package struct ScenarioDetails: Sendable {
    private let result: ScenarioResult
    private let run: RunDescription
    private let catalogue: RuleCatalogue

    /// The results of the scenarios that this one depends on; default none.
    package var dependencies: [ScenarioResult] = []
    /// The text of the scenario's file; default `nil`, which leaves the scenario out.
    package var fileText: String?
    /// The command that gives these details again; default empty, which leaves it out.
    package var rerun = ""

    /// Creates the details of a result.
    package init(_ result: ScenarioResult, of run: RunDescription, catalogue: RuleCatalogue) {
        self.result = result
        self.run = run
        self.catalogue = catalogue
    }

    /// The details, with a line end after the last line.
    package var text: String {
        let parts = [heading, required, scenario, events, wire, again].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var heading: [String] {
        var lines = [
            "\(result.verdict.name.uppercased())  \(result.name)", "  \(result.title)",
            "  \(run.subject), \(run.transport), level \(result.level.rawValue)",
        ]
        if !result.verdict.reason.isEmpty { lines.append("  " + Transcript.printable(result.verdict.reason)) }
        if let reason = result.baselineReason { lines.append("  the baseline expects a failure: \(reason)") }
        return lines
    }

    // MARK: What is required

    private var required: [String] {
        ["What is required"] + result.grounds.flatMap(lines)
            + result.rules.flatMap { id in catalogue[id].map(lines) ?? ["  \(id)"] }
    }

    private func lines(_ ground: Citation) -> [String] {
        let quotation = ["  \(ground.section), \(ground.keyword.rawValue)", "    \"\(ground.sentence)\""]
        return quotation + (ground.link.map { ["    \($0)"] } ?? [])
    }

    private func lines(_ rule: CatalogueRule) -> [String] {
        var lines = ["  \(rule.source), \(rule.level.rawValue)  (\(rule.id))", "    \(rule.sentence)"]
        if let citation = rule.citation {
            let place = citation.section == rule.source ? "" : "\(citation.section): "
            lines.append("    \(place)\"\(citation.sentence)\"")
        }
        if let link = rule.link { lines.append("    \(link)") }
        return lines
    }

    private var scenario: [String] {
        let position = result.position
        guard let fileText else { return [] }
        let excerpt = ScenarioExcerpt(text: fileText, line: position.line, column: position.column)
        let width = "\(excerpt.lines.last?.number ?? 0)".count
        let lines = excerpt.lines.map { line in
            let number = "\(line.number)"
            let space = String(repeating: " ", count: width - number.count)
            return "  \(space)\(number)  \(Transcript.printable(String(line.text)))"
        }
        return ["The scenario, \(position)"] + lines
            + dependencies.map { "  after \($0.name): \($0.verdict.name)" }
    }

    // MARK: What happened

    private var events: [String] {
        if result.steps.isEmpty { return [] }
        return ["What happened"]
            + result.steps.flatMap { step in
                (Transcript.lines(of: step) + Transcript.explanation(of: step, in: result)).map { "  " + $0 }
            }
    }

    private var wire: [String] {
        guard !result.wire.isEmpty else { return [] }
        var lines = result.wire.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return ["The bytes on the origin's connections"]
            + lines.map { $0.isEmpty ? "" : "  " + Transcript.printable(String($0)) }
    }

    private var again: [String] { rerun.isEmpty ? [] : ["Again", "  \(rerun)"] }
}
