public import CacheSemantics

/// One normative sentence of a specification or statement of the documents, with its stable id.
public struct CatalogueRule: Sendable, Hashable {
    /// `rfc9111.4.2.fresh`, `urlcache.policy.default`.
    public var id: String
    /// How binding it is.
    public var level: RuleLevel
    /// Where it comes from: `RFC 9111 §4.2`, or titles of documents with their sections.
    public var source: String
    /// What is checked, in one sentence of our own.
    public var sentence: String
    /// Verdict on the document's statement; `nil` for a rule of a specification.
    public var verdict: DocumentVerdict?
    /// How it is checked: `wire`, `api`, `unit`, `fs`, `log`, `conc`; `nil` for a rule of a specification.
    public var kind: String?
    /// Title of the issue that brings it; `nil` for a rule that something must check now.
    public var pending: String?

    /// Creates a rule.
    public init(
        id: String,
        level: RuleLevel,
        source: String,
        sentence: String,
        verdict: DocumentVerdict? = nil,
        kind: String? = nil,
        pending: String? = nil
    ) {
        self.id = id
        self.level = level
        self.source = source
        self.sentence = sentence
        self.verdict = verdict
        self.kind = kind
        self.pending = pending
    }

    /// Whether it is a rule of a specification, which findings can name.
    public var isSpecification: Bool { verdict == nil }

    /// Whether the sentence says what is right where the document is wrong, defective or unclear.
    public var isCorrected: Bool {
        switch verdict {
        case .wrong, .defective, .ambiguous: true
        case .asStated, .implied, .advice, nil: false
        }
    }
}

/// What we hold of a document's statement.
public enum DocumentVerdict: String, Sendable, Hashable, CaseIterable {
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

    /// What the statement is called in lists: as stated, corrected, resolved, advice, implied.
    public var word: String {
        switch self {
        case .asStated: "as stated"
        case .wrong, .defective: "corrected"
        case .ambiguous: "resolved"
        case .advice: "advice"
        case .implied: "implied"
        }
    }
}
