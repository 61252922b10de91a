/// A position in a JSON text.
public struct JSONPosition: Sendable, Hashable {
    /// The byte offset, from 0.
    public var offset: Int
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int
}

/// A syntax error of a JSON text, or a limit that it exceeds.
public struct JSONProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the error.
    public var place: JSONPosition
    /// The part that was found, with the offending text.
    public var found: String
    /// The form that was expected instead.
    public var expected: String

    /// Creates a problem.
    public init(at place: JSONPosition, found: String, expected: String) {
        self.place = place
        self.found = found
        self.expected = expected
    }

    /// `found …, expected …`.
    public var reason: String { "found \(found), expected \(expected)" }

    /// `line:column: found …, expected …`.
    public var description: String { "\(place.line):\(place.column): \(reason)" }
}
