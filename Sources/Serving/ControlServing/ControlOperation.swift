public import JSON

/// The method and the path of an operation.
public struct ControlEndpoint: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// The path, with parameters as `{name}`, each a whole segment.
    public var path: String

    /// Returns the endpoint of a GET request.
    public static func get(_ path: String) -> ControlEndpoint { ControlEndpoint(method: "GET", path: path) }

    /// Returns the endpoint of a PUT request.
    public static func put(_ path: String) -> ControlEndpoint { ControlEndpoint(method: "PUT", path: path) }

    /// Returns the endpoint of a POST request.
    public static func post(_ path: String) -> ControlEndpoint { ControlEndpoint(method: "POST", path: path) }

    /// Returns the endpoint of a PATCH request.
    public static func patch(_ path: String) -> ControlEndpoint {
        ControlEndpoint(method: "PATCH", path: path)
    }

    /// Returns the endpoint of a DELETE request.
    public static func delete(_ path: String) -> ControlEndpoint {
        ControlEndpoint(method: "DELETE", path: path)
    }
}

/// An operation of a control API with its description.
public struct ControlOperation: Sendable {
    /// The method and the path.
    public var endpoint: ControlEndpoint
    /// Its operation id in the document.
    public var name: String
    /// One sentence for the document.
    public var summary: String
    /// The parameters of the query.
    public var query: [Parameter]
    /// JSON Schema of the request content; `nil` if it has none.
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
    /// Whether its response may take long to compute, so that it is performed on a thread for slow operations; default false.
    public var isSlow = false
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
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
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
        _ endpoint: ControlEndpoint,
        name: String,
        _ summary: String,
        action: @escaping Action
    ) {
        self.endpoint = endpoint
        self.name = name
        self.summary = summary
        self.action = action
        query = []
        status = 200
        access = .token
    }

    /// Creates an operation that requires a token and responds with 200 and what a schema of the document describes, or with
    /// 204.
    package init(
        _ endpoint: ControlEndpoint,
        _ name: String,
        _ summary: String,
        answers schema: String? = nil,
        action: @escaping Action
    ) {
        self.init(endpoint, name: name, summary, action: action)
        answer = schema.map(JSONValue.schema)
        if schema == nil { status = 204 }
    }

    /// The method, such as `GET`.
    public var method: String { endpoint.method }

    /// The path, with parameters as `{name}`, each a whole segment.
    public var path: String { endpoint.path }

    /// Returns an operation that sends a text file without authorization; it must not contain secrets.
    public static func file(
        _ path: String,
        name: String,
        _ summary: String,
        _ text: String,
        type: String
    ) -> ControlOperation {
        let type = type + "; charset=utf-8"
        return ControlOperation(.get(path), name: name, summary) { _ in
            ControlAnswer(.bytes(Array(text.utf8), type: type))
        }.with { ($0.access, $0.answerType) = (.open, type) }
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
