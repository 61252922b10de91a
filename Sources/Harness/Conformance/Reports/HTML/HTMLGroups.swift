import CacheSemantics
import ReportFormats
import Scenarios

/// The part of the page about failures that have a rule and a cause in common; it needs no script.
struct HTMLGroups {
    /// Up to this number of failures are listed at once; more would hide the other groups.
    private static let fewFailures = 10
    let catalogue: RuleCatalogue

    /// Returns the groups of the failures among results, open if they are few; empty if nothing fails the run.
    func section(_ results: [ScenarioResult]) -> String {
        let failures = results.filter(\.standing.failsRun)
        if failures.isEmpty { return "" }
        let groups = FailureGroup.groups(of: failures)
        let count = counted(groups.count, "group")
        return """
            <section>
            <h2>Failures <small>\(failures.count) in \(count)</small></h2>
            \(groups.map { details($0, isOpen: failures.count <= Self.fewFailures) }.joined(separator: "\n"))
            </section>

            """
    }

    private func details(_ group: FailureGroup, isOpen: Bool) -> String {
        let heading = group.requirement.heading(in: catalogue)
        let source = heading.source.map { HTMLRule.source($0, heading.link) }
        let id = heading.id.map { "<code>\(Markup.text($0))</code>" }
        let place = [source, id].compactMap(\.self).joined(separator: " · ")
        return """
            <details class="group failed"\(isOpen ? " open" : "")>
            <summary><span class="mark">\(group.count)</span><span class="title">\(Markup.text(heading.sentence))</span>\
            <small>\(Markup.text(group.cause))</small></summary>
            \(place.isEmpty ? "" : "<p>\(place)</p>")
            <ul>\((group.results + group.dependents).map(item).joined(separator: "\n"))</ul>
            </details>
            """
    }

    private func item(_ result: ScenarioResult) -> String {
        "<li><a href=\"#scenario=\(HTMLScenario.fragment(of: result))\">\(Markup.text(result.name))</a> \(Markup.text(result.title))</li>"
    }
}

/// A rule on a page: its source with a link to the section, its sentence, its id.
enum HTMLRule {
    static func item(_ id: String, in catalogue: RuleCatalogue) -> String {
        guard let rule = catalogue[id] else { return "<li><code>\(Markup.text(id))</code></li>" }
        let quotation = rule.citation.map { " <q>\(Markup.text($0.sentence))</q>" } ?? ""
        return
            "<li>\(source(rule)): \(Markup.text(rule.sentence))\(quotation) <code>\(Markup.text(id))</code></li>"
    }

    /// Returns a sentence that a scenario cites in addition to those of its rules.
    static func item(_ ground: Citation) -> String {
        "<li>\(source(ground.section, ground.link)) \(ground.keyword.rawValue): <q>\(Markup.text(ground.sentence))</q></li>"
    }

    static func source(_ rule: CatalogueRule) -> String { source(rule.source, rule.link) }

    static func source(_ name: String, _ link: String?) -> String {
        let text = Markup.text(name)
        return link.map { "<a href=\"\(Markup.attribute($0))\">\(text)</a>" } ?? text
    }
}
