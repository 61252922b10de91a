/// Which requests a list of answers is for.
public struct Route: Sendable, Hashable {
    /// Name by which steps and the journal refer to the route.
    public var label: String
    /// Which paths match.
    public var path: PathPattern
    /// Which methods match; empty is every method.
    public var methods: [String]
    /// Which queries match; `nil` is every query.
    public var query: QueryMatch?
    /// Conditions on the request's fields; default none.
    public var fields: [NamedMatch] = []
    /// Conditions on the request's content; default none.
    public var body: [BodyMatch] = []
    /// The priority: routes with a higher one are tried first, those with the same in order; default 0.
    public var priority = 0
    /// The time after the start of the script from which the route matches; by default, at once.
    public var after: Duration?
    /// The time after the start of the script until which the route matches; by default, without end.
    public var until: Duration?
    /// The state that each of these machines must be in; a machine begins in `start`.
    public var when: [String: String] = [:]
    /// The state that each of these machines goes to when the route has answered.
    public var then: [String: String] = [:]
    /// The credentials that are required, by default none; other requests get 401.
    public var credentials: Credentials?
    /// The answers in order; the last repeats.
    ///
    /// Never empty.
    public var answers: [Answer]
    /// Whether the first answer follows the last instead; default false.
    public var loops = false

    /// Creates a route; by default for every request.
    public init(
        label: String,
        path: PathPattern = .any,
        methods: [String] = [],
        query: QueryMatch? = nil,
        answers: [Answer]
    ) {
        self.label = label
        self.path = path
        self.methods = methods
        self.query = query
        self.answers = answers
    }

    /// The state in which every machine begins.
    public static let initialState = "start"
}
