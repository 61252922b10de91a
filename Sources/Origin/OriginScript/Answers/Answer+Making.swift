// How routes and answers are written in code.

extension Answer {
    /// Creates an answer; `change` sets the rest.
    public init(
        status: Int = 200,
        fields: KeyValuePairs<String, String> = [:],
        body: BodySource = "",
        _ change: (inout Answer) -> Void = { _ in }
    ) {
        self.init()
        self.status = status
        self.fields = fields.map { FieldLine($0.key, .text($0.value)) }
        self.body = body
        change(&self)
    }
}

extension Route {
    /// Creates a route that gives these answers, one after another, the last again and again; without any 200.
    public init(_ path: PathPattern, method: String? = nil, label: String? = nil, _ answers: Answer...) {
        self.init(
            label: label ?? path.description,
            path: path,
            methods: method.map { [$0] } ?? [],
            answers: answers.isEmpty ? [Answer()] : answers
        )
    }
}

extension BodySource: ExpressibleByStringLiteral {
    /// Creates a body from text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension PathPattern: ExpressibleByStringLiteral {
    /// Creates a pattern from a path as files have it: `*` alone, exact, with `*` at the end, or with `{name}` and `**`.
    ///
    /// Any other text is taken literally. A slash at the beginning may be left out.
    public init(stringLiteral value: String) { self = Self(value) }

    /// Reads a path as files have it; text that is not a pattern is taken literally.
    ///
    /// A slash at the beginning may be left out, as in `MockServer.url(_:)`.
    public init(_ text: String) {
        let path = text.hasPrefix("/") ? text : "/" + text
        self = text == "*" ? .any : Self.pattern(path) ?? .exact(path)
    }
}
