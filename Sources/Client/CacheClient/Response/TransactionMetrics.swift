public import CacheSemantics
public import CacheStorage

/// The cost of one transaction of a request; times are those of the client's clock.
public struct TransactionMetrics: Sendable {
    /// The URL of the transaction.
    public package(set) var url: String
    /// The source of its response.
    public package(set) var source = ResponseSource.generated
    /// The status as received from the network, 304 for a validation; `nil` if nothing arrived.
    public package(set) var status: Int?
    /// The start of the transaction.
    public package(set) var startedAt: Duration
    /// The arrival of the complete head; `nil` if there was none.
    public package(set) var headAt: Duration?
    /// The completion of the content; `nil` if it never was complete.
    public package(set) var endedAt: Duration?
    /// The size of what was sent, head and content; zero if nothing was.
    public package(set) var sentSize = ByteCount.zero
    /// The size of the head that was received.
    public package(set) var headSize = ByteCount.zero
    /// The size of the content that was received, as coded.
    public package(set) var contentSize = ByteCount.zero
    /// Whether the connection had carried another exchange before; `nil` without a connection.
    public package(set) var isReusedConnection: Bool?
    /// The number of times the request was sent: 2 if a reused connection was closed unanswered; 0 for a hit.
    public package(set) var attempts = 0
    /// The version of HTTP in which the response was received, for a stored one when it was stored; `nil` if the client
    /// generated it.
    public package(set) var version: HTTPVersion?

    /// Creates the metrics of a transaction that starts.
    public init(url: String, startedAt: Duration) {
        self.url = url
        self.startedAt = startedAt
    }

    /// Creates the metrics of a hit, which takes no time.
    init(url: String, source: ResponseSource, status: Int, contentSize: ByteCount, at moment: Duration) {
        self.init(url: url, startedAt: moment)
        self.source = source
        self.status = status
        self.contentSize = contentSize
        headAt = moment
        endedAt = moment
    }

    mutating func add(_ start: TransportStart) {
        attempts = start.attempts
        version = start.version
    }

    mutating func add(_ end: TransportEnd) {
        sentSize = .bytes(end.bytesSent)
        headSize = .bytes(end.headBytes)
        isReusedConnection = end.isReusedConnection
        attempts = end.attempts
    }
}
