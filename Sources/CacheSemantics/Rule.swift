/// One normative sentence that the engine or the client keeps, with a stable id.
public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// A response is fresh while its freshness lifetime exceeds its current age.
    case freshWhileLifetimeExceedsAge = "rfc9111.4.2.fresh"
}

/// How binding a rule is.
public enum RuleLevel: String, Sendable, Hashable, CaseIterable {
    /// Required.
    case must
    /// Recommended.
    case should
    /// Allowed, and worth having.
    case optimal
    /// No verdict, information.
    case check
}

/// A rule and whether it held at one decision, with the numbers it used.
public struct Finding: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// Whether it allowed what was asked.
    public let held: Bool
    /// One sentence with the numbers: "age 61 s, lifetime 60 s from max-age".
    public let detail: String

    /// Creates a finding.
    public init(_ rule: Rule, held: Bool, _ detail: String) {
        self.rule = rule
        self.held = held
        self.detail = detail
    }
}
