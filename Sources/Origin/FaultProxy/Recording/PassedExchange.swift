import Clocks

/// An exchange as the client has sent it and the upstream has answered it, before rules and faults change the response.
public struct PassedExchange: Sendable, Hashable {
    /// A field line.
    public struct Field: Sendable, Hashable {
        /// The name in its original case.
        public let name: String
        /// The value.
        public let value: String
    }
    /// A response with its content.
    public struct Response: Sendable, Hashable {
        /// Status code.
        public let status: Int
        /// Reason phrase; empty for none.
        public let reason: String
        /// The field lines in their order.
        public let fields: [Field]
        /// The content without its framing; empty for an interim response.
        public internal(set) var content: [UInt8] = []
    }
    /// The request's method.
    public let method: String
    /// Scheme and authority of the server, such as `http://127.0.0.1:8000`.
    public let origin: String
    /// The request's target for the server, such as `/a?b=c`.
    public let target: String
    /// The request's field lines in their order, as the client has sent them; at a forward proxy, those for the server.
    public let fields: [Field]
    /// The request's content without its framing.
    public internal(set) var content: [UInt8] = []
    /// The interim responses but 100, in their order.
    public internal(set) var interim: [Response] = []
    /// The final response.
    public internal(set) var response = Response(status: 0, reason: "", fields: [])
    /// When the request's head was read, in seconds since 1970.
    package let startedSeconds: Double
    /// When the head of the final response was read, in seconds since 1970.
    package internal(set) var answeredSeconds: Double
    /// Seconds from the request's head to the end of the response.
    package internal(set) var seconds = 0.0

    /// When the request's head was read, since 1970-01-01T00:00:00Z.
    public var startedAt: Duration { .saturating(seconds: startedSeconds) }

    /// When the head of the final response was read, since 1970-01-01T00:00:00Z.
    public var answeredAt: Duration { .saturating(seconds: answeredSeconds) }

    /// The time from the request's head to the end of the response.
    public var duration: Duration { .saturating(seconds: seconds) }

    /// Creates an exchange whose request's head was read at a time in seconds since 1970.
    init(method: String, origin: String, target: String, fields: [Field], at seconds: Double) {
        (self.method, self.origin, self.target, self.fields) = (method, origin, target, fields)
        (startedSeconds, answeredSeconds) = (seconds, seconds)
    }
}

/// The events that a recording receives.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RecordedEvent: Sendable, Hashable {
    /// The upstream's response is complete.
    case exchange(PassedExchange)
    /// An exchange cannot be recorded: its method, its target and the reason.
    case omitted(String)
}

extension PassedExchange.Field {
    /// Returns the field lines of a head.
    static func all(of head: HeadBytes) -> [PassedExchange.Field] {
        head.fields.map { PassedExchange.Field(name: $0.name, value: $0.value) }
    }
}

extension PassedExchange.Response {
    /// Reads a head.
    init(_ head: ResponseHead) {
        let words = head.raw.startWords
        self.init(
            status: head.status,
            reason: words.count > 2 ? words[2] : "",
            fields: PassedExchange.Field.all(of: head.raw)
        )
    }
}
