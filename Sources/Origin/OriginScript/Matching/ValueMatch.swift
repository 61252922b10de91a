/// A route's condition on a value of a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public indirect enum ValueMatch: Sendable, Hashable {
    /// This text.
    case equals(String)
    /// A text with this in it.
    case contains(String)
    /// A text that matches as a whole.
    case matches(TextPattern)
    /// Any text.
    case present
    /// No value.
    case absent
    /// Any value that the other does not match; a missing value does not match.
    case not(ValueMatch)

    /// Returns whether a value, or its absence, is as asked.
    public func holds(for value: String?) -> Bool {
        switch self {
        case .equals(let text): value == text
        case .contains(let text): value?.contains(text) ?? false
        case .matches(let pattern): value.map { pattern.matches($0) } ?? false
        case .present: value != nil
        case .absent: value == nil
        case .not(let other): !other.holds(for: value)
        }
    }
}

/// A condition on a named value of a request.
public struct NamedMatch: Sendable, Hashable {
    /// Name of the parameter or field.
    public var name: String
    /// The condition on its value; one of several values suffices.
    public var match: ValueMatch

    /// Creates a condition.
    public init(_ name: String, _ match: ValueMatch) {
        self.name = name
        self.match = match
    }

    /// Whether the values of this name match: at least one of them or, for a condition of absence, all.
    public func holds(for values: [String]) -> Bool {
        switch match {
        case .absent: values.isEmpty
        case .not: values.allSatisfy { match.holds(for: $0) }
        default: values.contains { match.holds(for: $0) }
        }
    }
}

/// Which queries a route matches.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum QueryMatch: Sendable, Hashable, ExpressibleByStringLiteral {
    /// This query, as it is sent; empty is also no query.
    case exact(String)
    /// No query, not even an empty one (RFC 3986 §6.2.3).
    case absent
    /// Parameters, decoded; others may be there.
    case parameters([NamedMatch])

    /// Creates a match for exactly this query.
    public init(stringLiteral value: String) { self = .exact(value) }
}

/// A route's condition on a request's content.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BodyMatch: Sendable, Hashable {
    /// The whole as text.
    case text(ValueMatch)
    /// A value in JSON: a string as it reads, anything else as JSON without blanks.
    case json(JSONPath, ValueMatch)
    /// A name of a URL-encoded form.
    case form(NamedMatch)
    /// A part of a multipart form, its content as text.
    case part(NamedMatch)
}
