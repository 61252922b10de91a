import JSON
public import LocatedYAML

/// Why a request to a control API is refused; nothing was done.
public struct ControlProblem: Error, Sendable, Hashable {
    /// Status of the answer.
    public var status: Int
    /// One sentence for the caller.
    public var sentence: String
    /// What is wrong with the request, each with its place.
    public var problems: [Problem]

    /// Creates a refusal.
    public init(status: Int, _ sentence: String, problems: [Problem] = []) {
        self.status = status
        self.sentence = sentence
        self.problems = problems
    }

    /// Creates the refusal of content that is wrong.
    public init(_ problems: YAMLProblems) {
        self.init(status: 422, "The request is wrong.", problems: problems.problems)
    }

    /// Creates the refusal of a value in a place that has no lines: a path or a query.
    public static func value(_ place: String, found: String, expected: String) -> ControlProblem {
        let position = Position(file: place, line: 1, column: 1)
        let problem = Problem(at: position, found: found, expected: expected)
        return ControlProblem(status: 422, "The request is wrong.", problems: [problem])
    }

    var json: JSONValue {
        let list = problems.map { problem -> JSONValue in
            [
                "place": .string(problem.position.description), "found": .string(problem.found),
                "expected": .string(problem.expected),
            ]
        }
        let error: JSONValue = ["error": .string(sentence)]
        return problems.isEmpty ? error : error.adding(["problems": .array(list)])
    }
}
