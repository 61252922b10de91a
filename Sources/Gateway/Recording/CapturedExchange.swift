/// One exchange with an origin as it went by, complete.
public struct CapturedExchange: Sendable, Hashable {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// Name, in the case it was sent in.
        public var name: String
        /// Value.
        public var value: String

        /// Creates a field line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether it has a name, in any case.
        func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
    }
    /// A head with content.
    public struct Response: Sendable, Hashable {
        /// Status code.
        public var status: Int
        /// Reason phrase; empty for none.
        public var reason: String
        /// Field lines in the order they came.
        public var fields: [Field]
        /// Content, coded as it came but without chunks.
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
    /// Path and query as they were sent.
    public var target: String
    /// Field lines of the request in the order they came.
    public var requestFields: [Field]
    /// Content of the request.
    public var requestBody: [UInt8]
    /// 1xx responses other than 100 and 101, in order.
    public var interim: [Response]
    /// The final response.
    public var response: Response
    /// Wall seconds since 1970 at which the request was sent.
    public var startedAt: Double
    /// Wall seconds since 1970 at which the final head came.
    public var answeredAt: Double
    /// Seconds from the request to the end of the response.
    public var tookSeconds: Double

    /// Creates an exchange that took no time.
    public init(
        method: String = "GET",
        origin: String,
        target: String,
        requestFields: [Field] = [],
        requestBody: [UInt8] = [],
        response: Response,
        at wallSeconds: Double
    ) {
        self.method = method
        self.origin = origin
        self.target = target
        self.requestFields = requestFields
        self.requestBody = requestBody
        interim = []
        self.response = response
        startedAt = wallSeconds
        answeredAt = wallSeconds
        tookSeconds = 0
    }

    /// The path as it was sent, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query as it was sent; `nil` where the target has none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}

extension [CapturedExchange.Field] {
    /// The lines of a name as one value, joined as RFC 9110 §5.3 joins them; `nil` where there is none.
    public func combined(_ name: String) -> String? {
        let values = filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
