/// Which requests a list of answers is for.
public struct Route: Sendable, Hashable {
    /// Name by which steps refer to the route.
    public var label: String
    /// Which paths match.
    public var path: PathPattern
    /// Which methods match; empty is every method.
    public var methods: [String]
    /// The exact query; `nil` is every query.
    public var query: String?
    /// What the requests get, in order; the last repeats.
    ///
    /// Never empty.
    public var answers: [Answer]

    /// Creates a route; by default for every request.
    public init(
        label: String,
        path: PathPattern = .any,
        methods: [String] = [],
        query: String? = nil,
        answers: [Answer]
    ) {
        self.label = label
        self.path = path
        self.methods = methods
        self.query = query
        self.answers = answers
    }
}

/// Which paths a route matches.
public enum PathPattern: Sendable, Hashable {
    /// Every path.
    case any
    /// This path.
    case exact(String)
    /// Every path that begins so.
    case prefix(String)
}
