/// A place in a JSON text.
public struct JSONPlace: Sendable, Hashable {
    /// The byte, from 0.
    public var offset: Int
    /// The line, from 1.
    public var line: Int
    /// The character in the line, from 1.
    public var column: Int
}

/// Why a text is not JSON, or is more of it than is read.
public struct JSONProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where it stands.
    public var place: JSONPlace
    /// What was found, with the offending text.
    public var found: String
    /// What was expected in its place.
    public var expected: String

    /// Creates a problem.
    public init(at place: JSONPlace, found: String, expected: String) {
        self.place = place
        self.found = found
        self.expected = expected
    }

    /// `found …, expected …`.
    public var reason: String { "found \(found), expected \(expected)" }

    /// `line:column: found …, expected …`.
    public var description: String { "\(place.line):\(place.column): \(reason)" }
}
