public import JSON

/// One thing that a control API does, and how its document describes it.
public struct ControlOperation: Sendable {
    /// Method.
    public var method: String
    /// Path with parameters as `{name}`, each a whole segment.
    public var path: String
    /// Name in the document.
    public var name: String
    /// One sentence for the document.
    public var summary: String
    /// Parameters of the query: name and what it means.
    public var query: [Parameter]
    /// JSON Schema of the content; `nil` where there is none.
    public var content: JSONValue?
    /// Status when all is well.
    public var status: Int
    /// JSON Schema of the answer; `nil` where it has no JSON.
    public var answer: JSONValue?
    /// Media type of an answer that is no JSON.
    public var answerType: String?
    /// Media type of an answer that may be had in place of JSON.
    public var otherAnswerType: String?
    /// Who may ask.
    public var access: Access
    /// Does it.
    public var action: Action

    /// What is done with a request.
    public typealias Action = @Sendable (ControlRequest) async throws(ControlProblem) -> ControlAnswer

    /// A parameter of the query.
    public struct Parameter: Sendable {
        var name: String
        var meaning: String

        /// Creates a parameter.
        public init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// Who may ask.
    public enum Access: Sendable, Hashable {
        /// Everybody.
        case open
        /// Who has a token, in `Authorization`.
        case token
        /// Who has the server's own token.
        case serverToken
    }

    /// Creates an operation that answers 200 to who has a token.
    public init(
        _ method: String,
        _ path: String,
        name: String,
        _ summary: String,
        action: @escaping Action
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.summary = summary
        self.action = action
        query = []
        status = 200
        access = .token
    }

    /// Returns the operation after changes.
    public func with(_ change: (inout ControlOperation) -> Void) -> ControlOperation {
        var changed = self
        change(&changed)
        return changed
    }

    /// Returns the parameters of a path given as its decoded segments; `nil` where it is another.
    func parameters(of segments: [String]) -> [String: String]? {
        let own = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard own.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(own, segments) {
            if let name = Self.parameterName(part) {
                guard !segment.isEmpty else { return nil }
                parameters[name] = segment
            } else if part != segment {
                return nil
            }
        }
        return parameters
    }

    /// Names of the path's parameters.
    var parameterNames: [String] { path.split(separator: "/").compactMap(Self.parameterName) }

    private static func parameterName(_ part: Substring) -> String? {
        part.hasPrefix("{") && part.hasSuffix("}") ? String(part.dropFirst().dropLast()) : nil
    }
}
