/// An error in a file.
public struct Problem: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The position of the error.
    public var position: Position
    /// The part that was found, with the offending text.
    public var found: String
    /// The form that was expected instead.
    public var expected: String

    /// Creates a problem.
    public init(at position: Position, found: String, expected: String) {
        self.position = position
        self.found = found
        self.expected = expected
    }

    /// `file:line:column: found …, expected …`.
    public var description: String { "\(position): found \(found), expected \(expected)" }

    /// Whether the left problem is reported first: by position, then by text.
    public static func < (left: Problem, right: Problem) -> Bool {
        (left.position, left.found, left.expected) < (right.position, right.found, right.expected)
    }
}

/// All problems of the files that were read; never empty.
public struct YAMLProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// Sorted by position, without duplicates.
    public let problems: [Problem]

    /// Creates the error from problems in any order.
    public init(_ problems: [Problem]) {
        self.problems = Set(problems).sorted()
    }

    /// Creates the error of one problem.
    public init(at position: Position, found: String, expected: String) {
        problems = [Problem(at: position, found: found, expected: expected)]
    }

    /// Creates the error of a node of another form than the expected one.
    public init(_ node: YAMLNode, expected: String) {
        self.init(at: node.position, found: node.summary, expected: expected)
    }

    /// One problem per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems while a file is read, so that all are reported at once.
public final class ProblemCollector {
    /// The problems so far, in the order in which they were found.
    public private(set) var problems: [Problem] = []

    /// Creates an empty collector.
    public init() {}

    /// Adds a problem.
    public func add(_ problem: Problem) {
        problems.append(problem)
    }

    /// Adds a problem from its parts.
    public func add(at position: Position, found: String, expected: String) {
        problems.append(Problem(at: position, found: found, expected: expected))
    }

    /// Adds that a node has another form than the expected one.
    public func add(_ node: YAMLNode, expected: String) {
        add(at: node.position, found: node.summary, expected: expected)
    }

    /// Adds the texts of a kind, such as "id", that are there a second time.
    package func addDuplicates(of kind: String, in texts: [Located<String>]) {
        var seen: Set<String> = []
        for text in texts where !seen.insert(text.value).inserted {
            let found = "the duplicate \(kind) \(YAMLNode.quoted(text.value))"
            add(at: text.position, found: found, expected: "a unique \(kind)")
        }
    }

    /// Throws the collected problems, if there are any.
    public func throwIfAny() throws(YAMLProblems) {
        if !problems.isEmpty { throw YAMLProblems(problems) }
    }
}
