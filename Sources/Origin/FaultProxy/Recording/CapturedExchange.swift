/// A complete exchange with an origin, before rules and faults change the response.
public struct CapturedExchange: Sendable, Hashable {
    /// A field line.
    public struct Field: Sendable, Hashable {
        /// The name in its original case.
        public var name: String
        /// The value, as it was sent.
        public var value: String

        /// Creates a field line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether it has a name; names are case-insensitive.
        package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
    }
    /// A response with its content.
    public struct Response: Sendable, Hashable {
        /// Status code.
        public var status: Int
        /// Reason phrase; empty for none.
        public var reason: String
        /// The field lines in their original order.
        public var fields: [Field]
        /// The content, with content codings but without chunked coding.
        public var body: [UInt8]

        /// Creates a response.
        public init(status: Int, reason: String = "", fields: [Field] = [], body: [UInt8] = []) {
            self.status = status
            self.reason = reason
            self.fields = fields
            self.body = body
        }
    }
    /// Method.
    public var method: String
    /// Scheme and authority: `http://127.0.0.1:8090`.
    public var origin: String
    /// Path and query as sent.
    public var target: String
    /// The field lines of the request in their original order.
    public var requestFields: [Field] = []
    /// Content of the request.
    public var requestBody: [UInt8] = []
    /// 1xx responses other than 100 and 101, in order.
    public var interim: [Response] = []
    /// The final response.
    public var response: Response
    /// When the request was sent, since 1970-01-01T00:00:00Z.
    public var startedAt: Duration
    /// When the final head was received, since 1970-01-01T00:00:00Z.
    public var answeredAt: Duration
    /// The time from the request to the end of the response.
    public var duration = Duration.zero

    /// Creates an exchange that took no time, with a request without fields and content.
    public init(
        method: String = "GET",
        origin: String,
        target: String,
        response: Response,
        at timeSinceEpoch: Duration
    ) {
        (self.method, self.origin, self.target, self.response) = (method, origin, target, response)
        (startedAt, answeredAt) = (timeSinceEpoch, timeSinceEpoch)
    }

    /// The request in one line, for messages: `GET http://a.example/b`.
    package var requestText: String { "\(method) \(origin)\(target)" }

    /// The path as sent, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query as sent; `nil` if the target has none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}

extension [CapturedExchange.Field] {
    /// Returns the values of all lines of a name, combined with commas (RFC 9110 §5.3); `nil` if there is none.
    public func combined(_ name: String) -> String? {
        let values = filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// The events that a recording receives.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RecordedEvent: Sendable, Hashable {
    /// The origin's response is complete.
    case exchange(CapturedExchange)
    /// An exchange is not recorded: its method, its URL and the reason.
    case omitted(String)
}
