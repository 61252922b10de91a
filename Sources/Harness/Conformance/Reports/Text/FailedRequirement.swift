import Scenarios

/// The requirement that a failed scenario is about.
enum FailedRequirement: Hashable {
    /// A sentence that the scenario cites itself: it describes what is broken more exactly than its rules do.
    case sentence(Citation)
    /// The id of a rule.
    case rule(String)
    /// The scenario cites nothing.
    case none

    /// Returns the requirements that a failure is about, never none: the scenario's own sentences, otherwise its rules.
    static func all(of result: ScenarioResult) -> [FailedRequirement] {
        if !result.grounds.isEmpty { return result.grounds.map(FailedRequirement.sentence) }
        return result.rules.isEmpty ? [.none] : result.rules.map(FailedRequirement.rule)
    }

    /// The words with which reports head a group of failures.
    struct Heading {
        var sentence: String
        /// Where it is from, as in `RFC 9111 §4.2`; `nil` if that is unknown.
        var source: String?
        /// The URL of the source.
        var link: String?
        /// The id of the rule.
        var id: String?
    }

    /// Returns the heading of a group of failures.
    func heading(in catalogue: RuleCatalogue) -> Heading {
        switch self {
        case .sentence(let citation):
            return Heading(
                sentence: "\(citation.keyword.rawValue): \"\(citation.sentence)\"",
                source: citation.section,
                link: citation.link
            )
        case .rule(let id):
            guard let rule = catalogue[id] else { return Heading(sentence: id) }
            return Heading(sentence: rule.sentence, source: rule.source, link: rule.link, id: id)
        case .none: return Heading(sentence: "without a rule")
        }
    }
}
