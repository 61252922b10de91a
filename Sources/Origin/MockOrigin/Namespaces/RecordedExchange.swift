import Clocks
public import HTTPServing

/// One exchange as the origin recorded it.
public struct RecordedExchange: Sendable, Hashable {
    /// The head of a response with a status from 100 to 199.
    public struct InterimResponse: Sendable, Hashable {
        /// Status.
        public package(set) var status: Int
        /// Field lines in order.
        public package(set) var fields: [ServedField]
    }
    /// Its number in the order of arrival, from 1.
    public package(set) var number = 0
    /// The request, its target without the namespace's prefix; of its content at most 64 KiB are kept outside scenarios.
    public package(set) var request: ServedRequest
    /// Bytes of the request's content.
    public package(set) var contentCount: Int
    /// Time of arrival in seconds since 1970 on the namespace's clock.
    package var arrivedSeconds: Double
    /// Label of the route that answered; `files` for a file, `nil` for a page or where none matched.
    public package(set) var route: String?
    /// The near misses of a request that no route matched, each with its differences; empty if there was an answer.
    public package(set) var nearMisses: [String] = []
    /// Interim responses (RFC 9110 §15.2) before the final one, in order.
    public package(set) var interimResponses: [InterimResponse] = []
    /// Faults that were injected into the response, as written in a fault list; their waits and random values are drawn.
    public package(set) var faults: [String] = []
    /// The end of the connection if the response caused it: `reset`, `cut` or `close`; `nil` if it stayed open.
    public package(set) var ending: String?
    /// Status of the response; `nil` if no head was sent.
    public package(set) var status: Int?
    /// Field lines of the answer's head in the order they were sent; empty if no head was sent.
    public package(set) var answerFields: [ServedField] = []
    /// Bytes written to the socket; `nil` while the exchange continues, and for a prepared response that was cut off.
    public package(set) var bytesSent: Int?
    /// Whether the client aborted the exchange.
    public package(set) var isAborted = false
    /// Number of the connection among those of the record, from 1; 0 where there is no connection.
    public package(set) var connection = 0
    /// Whether an earlier exchange of the record came on the same connection.
    public package(set) var isReused = false
    /// The parsed content if the kept beginning is not enough to parse it; otherwise `nil`.
    var summary: RequestContent?

    init(_ request: ServedRequest, at wallSeconds: Double, keeping limit: Int) {
        self.request = request
        arrivedSeconds = wallSeconds
        contentCount = request.body.count
        guard contentCount > limit else { return }
        summary = RequestContent.summary(request, limit: limit)
        self.request.body = Array(request.body.prefix(limit))
    }

    /// The parsed content of the request, from its full length.
    public var content: RequestContent { summary ?? RequestContent(request) }

    /// Time of arrival since 1970-01-01T00:00:00Z on the namespace's clock.
    public var arrivedAt: Duration { .saturating(seconds: arrivedSeconds) }

    /// Method.
    public var method: String { request.method }

    /// Path as it was sent, without the namespace's prefix.
    public var path: String { TargetParts(request.target).path }

    /// Query as it was sent; `nil` if the target has none.
    public var query: String? { TargetParts(request.target).query }

    /// Field lines in the order in which they were sent.
    public var fields: [ServedField] { request.fields }

    /// Content, as far as it is kept.
    public var body: [UInt8] { request.body }

    /// Whether the exchange is over.
    public var isEnded: Bool { bytesSent != nil || isAborted }
}

extension [RecordedExchange] {
    /// Numbers the connections in the order in which they came.
    mutating func numberConnections() {
        var known: [UInt64: Int] = [:]
        for index in indices where self[index].request.connection > 0 {
            let connection = self[index].request.connection
            self[index].isReused = known[connection] != nil
            self[index].connection = known[connection] ?? known.count + 1
            known[connection] = self[index].connection
        }
    }
}
