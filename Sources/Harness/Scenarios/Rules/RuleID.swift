public import CacheSemantics

/// The id of a rule: of a specification, such as `rfc9111.4.2.3.corrected`, of a document, or of a project.
public struct RuleID: RawRepresentable, Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The id as scenarios and reports have it.
    public let rawValue: String

    /// Creates an id from its text, whether or not there is such a rule.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the id of a rule of the engine.
    public init(_ rule: Rule) { rawValue = rule.rawValue }

    /// Creates an id from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The id as scenarios and reports have it.
    public var description: String { rawValue }

    /// Whether the left id comes first in alphabetical order.
    public static func < (left: RuleID, right: RuleID) -> Bool { left.rawValue < right.rawValue }
}
