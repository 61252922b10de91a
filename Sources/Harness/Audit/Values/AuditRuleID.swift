/// The identifier of a rule of the audit: lower-case words joined by `-`, such as `shared-cookie`.
public struct AuditRuleID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The identifier as reports, policies and baselines have it.
    public let rawValue: String

    /// Creates an identifier from its text, whether or not there is such a rule.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an identifier from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The identifier as reports have it.
    public var description: String { rawValue }
}
