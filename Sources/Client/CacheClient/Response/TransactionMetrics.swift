/// What one hop of a request cost; times are those of the client's clock.
public struct TransactionMetrics: Sendable {
    /// The URL of the hop.
    public var url: String
    /// Where its response came from.
    public var source = ResponseSource.none
    /// The status as it came over the wire, 304 for a validation; `nil` where nothing came.
    public var status: Int?
    /// When the hop began.
    public var startedAt: Duration
    /// When the head had arrived; `nil` where none did.
    public var headAt: Duration?
    /// When the content was complete; `nil` where it never was.
    public var endedAt: Duration?
    /// Bytes sent, head and content; 0 where nothing was sent.
    public var bytesSent = 0
    /// Bytes of the head received.
    public var headBytes = 0
    /// Bytes of the content received, as coded.
    public var bodyBytes = 0
    /// Whether the connection had carried another exchange before; `nil` without a connection.
    public var isReusedConnection: Bool?
    /// How many times the request was sent: 2 when a reused connection was closed unanswered; 0 for a hit.
    public var attempts = 0
    /// The version of HTTP in which the response was received; `nil` where nothing came over the wire.
    public var version: HTTPVersion?

    /// Creates the metrics of a hop that begins.
    public init(url: String, startedAt: Duration) {
        self.url = url
        self.startedAt = startedAt
    }

    /// The metrics of a hit, which takes no time.
    init(url: String, source: ResponseSource, status: Int, bodyBytes: Int, at moment: Duration) {
        self.init(url: url, startedAt: moment)
        self.source = source
        self.status = status
        self.bodyBytes = bodyBytes
        headAt = moment
        endedAt = moment
    }

    mutating func add(_ start: TransportStart) {
        attempts = start.attempts
        version = start.version
    }

    mutating func add(_ end: TransportEnd) {
        bytesSent = end.bytesSent
        headBytes = end.headBytes
        isReusedConnection = end.isReusedConnection
        attempts = end.attempts
    }
}
