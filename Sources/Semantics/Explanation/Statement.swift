import CacheSemantics

/// One thing that an explanation says, with the section it rests on.
public struct Statement: Sendable, Hashable {
    /// What statements are about, in the order in which they are told.
    public enum Topic: String, Sendable, Hashable, CaseIterable {
        /// Whether the response may be stored.
        case storing
        /// What a stored response is found by.
        case key
        /// How long it is fresh.
        case lifetime
        /// How old it is.
        case age
        /// What a cache does with the next request.
        case use
        /// What a validation would send.
        case validation
        /// What using it stale would need.
        case staleUse = "stale-use"
        /// The nearest stored response where none may be used, and what ruled it out.
        case nearest
    }
    /// What it is about.
    public let topic: Topic
    /// What it says.
    public let claim: Claim
    /// One sentence.
    public var sentence: String { claim.sentence + "." }
    /// The specification and section, as `RFC 9111 §4.2.1`.
    public var section: String { source.section }
    /// The id of the rule.
    public var rule: String { source.rawValue }

    private let source: Rule

    init(_ topic: Topic, _ claim: Claim, _ rule: Rule) {
        self.topic = topic
        self.claim = claim
        source = rule
    }
}
