public import HTTPServing

/// One exchange as the origin saw it.
public struct RecordedExchange: Sendable, Hashable {
    /// Place in the order of arrival, from 1.
    public var number: Int
    /// Method.
    public var method: String
    /// Path as it was sent, without the namespace's prefix.
    public var path: String
    /// Query as it was sent; `nil` where the target has none.
    public var query: String?
    /// Field lines in the order they were sent.
    public var fields: [ServedField]
    /// Content.
    public var body: [UInt8]
    /// Number of the connection within the namespace, from 1; 0 where there is no connection.
    public var connection: Int
    /// Whether an earlier exchange of the namespace came on the same connection.
    public var isReused: Bool
    /// Port of the other end; 0 where there is no connection.
    public var peerPort: UInt16
    /// Label of the route that answered; `nil` when none matched.
    public var route: String?
    /// Arrival in seconds since 1970 on the namespace's clock.
    public var arrivedAt: Double
    /// What the TLS handshake had come to; `nil` where there was none.
    public var tls: TLSFacts?
    /// Status that was answered; `nil` where no head was sent.
    public var status: Int?
    /// Field lines of the answer in order; empty where no head was sent.
    public var answerFields: [ServedField] = []
    /// Bytes that were written to the socket.
    public var bytesSent = 0
    /// Whether the exchange is over.
    public var isEnded = false
    /// Whether the client broke the exchange off.
    public var isAborted = false
}
