import CacheSemantics
import LocatedYAML

/// The rules that scenarios and tests can check.
public struct RuleCatalogue: Sendable {
    /// The rules of the specifications, first the engine's in its order, then those about messages, then those of
    /// extensions.
    public let rules: [CatalogueRule]
    private let indices: [String: Int]

    /// Creates a catalogue; if several rules have the same id, the first is used.
    package init(_ rules: [CatalogueRule]) {
        self.rules = rules
        indices = Dictionary(rules.indices.map { (rules[$0].id, $0) }) { first, _ in first }
    }

    /// The rules of RFC 9111 and its family, and of HTTP's messages.
    public static let standard = RuleCatalogue(specificationRules + MessageRules.all)

    /// The rule with an id; `nil` if there is none.
    public subscript(id: RuleID) -> CatalogueRule? { self[id.rawValue] }

    /// The rule with an id; `nil` if there is none.
    package subscript(id: String) -> CatalogueRule? {
        indices[id].map { rules[$0] }
    }

    /// The first components of all ids, such as `rfc9111`.
    var families: Set<String> { Set(rules.map { String($0.id.prefix { $0 != "." }) }) }

    /// Returns the id most similar to a misspelled one.
    func nearest(to id: String) -> String? {
        NearestKey.suggestion(for: id, among: rules.map(\.id))
    }

    private static var specificationRules: [CatalogueRule] {
        Rule.allCases.map { rule in
            var entry = CatalogueRule(
                id: rule.rawValue,
                level: rule.level,
                source: rule.section,
                sentence: rule.sentence
            )
            entry.citation = rule.quotation.map { quotation in
                Citation(section: quotation.section, keyword: quotation.keyword, sentence: quotation.words)
            }
            return entry
        }
    }
}
