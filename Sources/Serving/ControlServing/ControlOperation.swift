public import JSON

/// An operation of a control API with its description.
public struct ControlOperation: Sendable {
    /// The method.
    public var method: String
    /// The path, with parameters as `{name}`, each a whole segment.
    public var path: String
    /// Its operation id in the document.
    public var name: String
    /// One sentence for the document.
    public var summary: String
    /// The parameters of the query.
    public var query: [Parameter]
    /// JSON Schema of the request content; `nil` for none.
    public var content: JSONValue?
    /// The status code of success.
    public var status: Int
    /// JSON Schema of the response; `nil` if it is not JSON.
    public var answer: JSONValue?
    /// The media type of a response that is not JSON.
    public var answerType: String?
    /// The media type of an alternative to JSON.
    public var otherAnswerType: String?
    /// The required authorization.
    public var access: Access
    /// Performs the operation.
    public var action: Action

    /// Performs an operation for a request.
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

    /// The required authorization.
    public enum Access: Sendable, Hashable {
        /// None.
        case open
        /// Any known token in `Authorization`.
        case token
        /// The server's own token.
        case serverToken
    }

    /// Creates an operation that requires a token and responds with 200.
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

    /// Returns a modified copy of the operation.
    public func with(_ change: (inout ControlOperation) -> Void) -> ControlOperation {
        var changed = self
        change(&changed)
        return changed
    }

    /// Returns the parameters of a path, given as decoded segments; `nil` if the path does not match.
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
