/// The degree to which a rule is binding.
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
