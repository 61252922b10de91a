public import HTTPServing

/// One exchange as the origin recorded it.
public struct RecordedExchange: Sendable, Hashable {
    /// Its number in the order of arrival, from 1.
    public var number: Int
    /// Method.
    public var method: String
    /// Path as it was sent, without the namespace's prefix.
    public var path: String
    /// Query as it was sent; `nil` if the target has none.
    public var query: String?
    /// Field lines in the order in which they were sent.
    public var fields: [ServedField]
    /// Content.
    public var body: [UInt8]
    /// Number of the connection within the namespace, from 1; 0 without a connection.
    public var connection: Int
    /// Whether an earlier exchange of the namespace used the same connection.
    public var isReused: Bool
    /// Port of the client; 0 without a connection.
    public var peerPort: UInt16
    /// Label of the route that answered; `nil` if none matched.
    public var route: String?
    /// Time of arrival in seconds since 1970 on the namespace's clock.
    public var arrivedAt: Double
    /// The result of the TLS handshake; `nil` without TLS.
    public var tls: TLSFacts?
    /// Status of the response; `nil` if no head was sent.
    public var status: Int?
    /// Field lines of the response in order; empty if no head was sent.
    public var answerFields: [ServedField] = []
    /// Bytes that were written to the socket.
    public var bytesSent = 0
    /// Whether the exchange has ended.
    public var isEnded = false
    /// Whether the client aborted the exchange.
    public var isAborted = false
}
