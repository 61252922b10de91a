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
