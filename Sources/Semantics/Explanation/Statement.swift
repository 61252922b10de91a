import CacheSemantics

/// A statement of an explanation with its source.
public struct Statement: Sendable, Hashable {
    /// The topics of statements in the order of output.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Topic: String, Sendable, Hashable, CaseIterable {
        /// Whether the response may be stored.
        case storing
        /// The key of the stored response.
        case key
        /// Its freshness lifetime.
        case lifetime
        /// The current age of the stored response.
        case age
        /// The cache's handling of the next request.
        case use
        /// The validation of the stored response.
        case validation
        /// The conditions for using it stale.
        case staleUse = "stale-use"
        /// The nearest stored response if none may be used, and what excluded it.
        case nearest
    }
    /// The subject of the statement.
    public let topic: Topic
    /// The values from which the sentence is made.
    package let claim: Claim
    /// One sentence.
    public var sentence: String { claim.sentence + "." }
    /// The specification and section, as `RFC 9111 §4.2.1`.
    public var section: String { source.section }
    /// The identifier of the rule.
    public var rule: String { source.rawValue }

    private let source: Rule

    init(_ topic: Topic, _ claim: Claim, _ rule: Rule) {
        self.topic = topic
        self.claim = claim
        source = rule
    }
}
