public import CacheSemantics

/// One normative sentence of a specification, or statement of the documents, with its stable id.
public struct CatalogueRule: Sendable, Hashable {
    /// `rfc9111.4.2.fresh`, `urlcache.policy.default`.
    package var id: String
    /// The level of the requirement.
    public package(set) var level: RuleLevel
    /// Its source: `RFC 9111 §4.2`, or titles of documents with their sections.
    public package(set) var source: String
    /// A sentence of our own that describes what is checked.
    public package(set) var sentence: String
    /// The sentence of a specification that it follows from; `nil` for a rule of a document, or of no RFC.
    package var citation: Citation?
    /// The verdict on the document's statement; `nil` for a rule of a specification.
    package var verdict: DocumentVerdict?
    /// The kind of its checks: `wire`, `api`, `unit`, `fs`, `log`, `conc`; `nil` for a rule of a specification.
    package var kind: String?
    /// Whether it is from a project's file, so that only the project's scenarios name it; default false.
    package var isOwn = false
    /// The URL of the page that it is defined on; `nil` if that follows from the source.
    package var page: String?
    /// Title of the issue that will implement it; `nil` for a rule that must be checked now.
    package var pending: String?
    /// The reason why nothing can violate it here; `nil` for most rules.
    package var unviolableReason: String?

    /// The id, as scenarios name it.
    public var ruleID: RuleID { RuleID(rawValue: id) }

    /// Creates a rule of a specification.
    package init(id: String, level: RuleLevel, source: String, sentence: String) {
        self.id = id
        self.level = level
        self.source = source
        self.sentence = sentence
    }

    /// Whether something could violate it: it is neither advice nor without a meaning here.
    package var isViolable: Bool { verdict != .advice && unviolableReason == nil }

    /// Whether findings can name the rule: it is neither of a document nor of a project.
    package var isSpecification: Bool { verdict == nil && !isOwn }

    /// Whether the sentence corrects a document that is wrong, defective or unclear.
    package var isCorrected: Bool {
        switch verdict {
        case .wrong, .defective, .ambiguous: true
        case .asStated, .implied, .advice, nil: false
        }
    }
}

/// Our verdict on a document's statement.
package enum DocumentVerdict: String, Sendable, Hashable, CaseIterable {
    /// Checked as stated.
    case asStated = "as stated"
    /// Wrong or outdated; checked as corrected.
    case wrong
    /// The code shown is defective; checked as it should be.
    case defective
    /// Unclear or contradictory; checked as resolved.
    case ambiguous
    /// Advice or description.
    case advice
    /// Not stated, but implied.
    case implied

    /// The verdict's name in lists: as stated, corrected, resolved, advice, implied.
    package var word: String {
        switch self {
        case .asStated: "as stated"
        case .wrong, .defective: "corrected"
        case .ambiguous: "resolved"
        case .advice: "advice"
        case .implied: "implied"
        }
    }
}
