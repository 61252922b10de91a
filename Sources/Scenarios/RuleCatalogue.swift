import CacheSemantics
import LocatedYAML

/// Every rule that scenarios and tests can check.
public struct RuleCatalogue: Sendable {
    /// The rules of the specifications, the engine's in its order and those about messages, then the documents' in theirs.
    public let rules: [CatalogueRule]
    private let places: [String: Int]

    /// Creates a catalogue; of two rules with one id the first counts.
    public init(_ rules: [CatalogueRule]) {
        self.rules = rules
        places = Dictionary(rules.indices.map { (rules[$0].id, $0) }) { first, _ in first }
    }

    /// The rules of RFC 9111 and its family, of HTTP's messages, and those of the documents.
    public static let standard = RuleCatalogue(specificationRules + MessageRules.all + documentRules)

    /// The rule with an id; `nil` where there is none.
    public subscript(id: String) -> CatalogueRule? {
        places[id].map { rules[$0] }
    }

    /// The id that `id` was probably meant to be.
    func nearest(to id: String) -> String? {
        NearestKey.suggestion(for: id, among: rules.map(\.id))
    }

    private static var specificationRules: [CatalogueRule] {
        Rule.allCases.map { rule in
            CatalogueRule(
                id: rule.rawValue,
                level: rule.level,
                source: rule.section,
                sentence: rule.sentence
            )
        }
    }

    private static var documentRules: [CatalogueRule] {
        DocumentRules.table.split(separator: "\n").compactMap(documentRule)
    }

    private static func documentRule(_ line: Substring) -> CatalogueRule? {
        let parts = line.split(separator: "|", maxSplits: 4).map(String.init)
        guard parts.count == 5, let verdict = DocumentVerdict(rawValue: parts[1]) else { return nil }
        return CatalogueRule(
            id: parts[0],
            level: verdict.level,
            source: parts[3],
            sentence: parts[4],
            verdict: verdict,
            kind: parts[2]
        )
    }
}
