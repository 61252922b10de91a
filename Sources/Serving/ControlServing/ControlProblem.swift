import JSON
public import LocatedYAML

/// The reason for rejecting a request to a control API; the operation had no effect.
public struct ControlProblem: Error, Sendable, Hashable {
    /// The status code of the response.
    public var status: Int
    /// One sentence for the caller.
    public var sentence: String
    /// The problems of the request with their positions.
    public var problems: [Problem]
    /// The methods of `Allow`, which a 405 must have (RFC 9110 §15.5.6); empty for other statuses.
    var allowedMethods = ""

    /// Creates a rejection.
    public init(status: Int, _ sentence: String, problems: [Problem] = []) {
        self.status = status
        self.sentence = sentence
        self.problems = problems
    }

    /// Creates the rejection of invalid content.
    public init(_ problems: YAMLProblems) {
        self.init(status: 422, "The request is invalid.", problems: problems.problems)
    }

    /// Creates the rejection of a value in a path or a query.
    public static func value(_ place: String, found: String, expected: String) -> ControlProblem {
        let position = Position(file: place, line: 1, column: 1)
        let problem = Problem(at: position, found: found, expected: expected)
        return ControlProblem(status: 422, "The request is invalid.", problems: [problem])
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
