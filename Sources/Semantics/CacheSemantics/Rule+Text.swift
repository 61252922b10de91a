/// The entries of a rule in rules.toml, besides its identifier.
struct RuleRow {
    let level: RuleLevel
    let sentence: String
    let quotation: (keyword: RequirementKeyword, words: String, section: String?)?

    init(
        _ level: RuleLevel,
        _ sentence: String,
        quoting keyword: RequirementKeyword? = nil,
        _ words: String = "",
        in section: String? = nil
    ) {
        (self.level, self.sentence) = (level, sentence)
        quotation = keyword.map { ($0, words, section) }
    }
}

/// A normative sentence of a specification, as far as it is quoted.
public struct RuleQuotation: Sendable, Hashable {
    /// Where it is: `RFC 9111 §4.2.1`.
    public let section: String
    /// The word by which it requires something.
    public let keyword: RequirementKeyword
    /// Its words, at most 25.
    public let words: String
}

extension Rule {
    /// Its specification and section, as "RFC 9111 §4.2.1".
    public var section: String {
        let parts = rawValue.split(separator: ".")
        guard let specification = parts.first, specification.hasPrefix("rfc") else {
            return Self.otherSections[String(parts.first ?? "")] ?? "Apple, NSURLRequest.CachePolicy"
        }
        let numbers = parts.dropFirst().dropLast().joined(separator: ".")
        return "RFC \(specification.dropFirst(3)) §\(numbers)"
    }

    /// Specifications that are not RFCs.
    private static let otherSections = [
        "incremental": "draft-ietf-httpbis-incremental §3",
        "no-vary-search": "draft-ietf-httpbis-no-vary-search §2",
        "clear-site-data": "W3C Clear Site Data §3.1",
    ]

    /// Its requirement level.
    public var level: RuleLevel { row.level }

    /// The requirement in one sentence.
    public var sentence: String { row.sentence }

    /// The sentence that it follows from; `nil` for what is from no RFC.
    public var quotation: RuleQuotation? {
        row.quotation.map {
            RuleQuotation(section: $0.section ?? section, keyword: $0.keyword, words: $0.words)
        }
    }
}
