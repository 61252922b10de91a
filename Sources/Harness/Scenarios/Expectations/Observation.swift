public import CacheSemantics

/// What the caller saw of one request, whatever the subject is.
public struct CallerObservation: Sendable {
    /// Where the response came from; `nil` where that is not known.
    public var source: Provenance?
    /// Served although stale; `nil` if the subject does not report it.
    public var isStale: Bool?
    /// Status code; `nil` without a response.
    public var status: Int?
    /// Field lines as received, in order.
    public var fields: [(name: String, value: String)] = []
    /// Content; empty without a response.
    public var body: [UInt8] = []
    /// Age in seconds; `nil` where there is none.
    public var age: Double?
    /// Foundation's error code and its text; `nil` without an error.
    public var error: (code: Int, text: String)?
    /// Event names in order; `nil` where the subject has none.
    public var events: [String]?
    /// Sizes of the data events.
    public var chunks: [Int] = []
    /// Parameters of this cache's `Cache-Status` member; `nil` where there is none.
    public var cacheStatus: [String: String]?
    /// For a lookup: whether something was found.
    public var isFound: Bool?
    /// For a lookup: the entry's user info.
    public var userInfo: [String: String] = [:]
    /// Redirects followed.
    public var redirects = 0
    /// Time on the scenario's clock from start to end, in seconds.
    public var took: Double = 0
    /// The engine's findings in order; empty where the subject has none.
    public var findings: [Finding] = []

    /// Creates an observation of nothing.
    public init() {}
}

/// One request as the origin recorded it.
public struct OriginObservation: Sendable {
    /// Method.
    public var method: String
    /// Path without the scenario's prefix.
    public var path: String
    /// Query without `?`; `nil` for none.
    public var query: String?
    /// Field lines as received, in order.
    public var fields: [(name: String, value: String)]
    /// Content.
    public var body: [UInt8]
    /// Number of the connection, from 1, within the scenario.
    public var connection: Int
    /// Whether the connection had carried another request before.
    public var isReusedConnection: Bool
    /// Whether the caller's side broke it off.
    public var isAborted: Bool
    /// Status of the answer; `nil` where none was sent.
    public var answeredStatus: Int?
    /// Wall seconds of the scenario's clock at arrival.
    public var arrivedAt: Double
    /// The subject of the client's certificate; `nil` where it showed none.
    public var clientCertificate: String?

    /// Creates a recorded request.
    public init(
        method: String,
        path: String,
        query: String?,
        fields: [(name: String, value: String)],
        body: [UInt8],
        connection: Int,
        isReusedConnection: Bool,
        isAborted: Bool,
        answeredStatus: Int?,
        arrivedAt: Double,
        clientCertificate: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.connection = connection
        self.isReusedConnection = isReusedConnection
        self.isAborted = isAborted
        self.answeredStatus = answeredStatus
        self.arrivedAt = arrivedAt
        self.clientCertificate = clientCertificate
    }
}

/// One expectation that did not hold.
public struct Mismatch: Sendable, Hashable {
    /// What verdicts on other subjects depend on; the texts are for reports only.
    public enum Detail: Sendable, Hashable {
        /// Nothing that such a verdict depends on.
        case other
        /// The response did not come from where it should; `seen` is `nil` where that is not known.
        case source(expected: [Provenance], seen: Provenance?)
        /// No response came; `expected` is where it should have come from, empty for anywhere.
        case noResponse(expected: [Provenance])
        /// An error was expected, and another one occurred.
        case otherError
        /// The response has no age.
        case noAge
        /// The response has no `Cache-Status` of this cache.
        case noCacheStatus
        /// More requests reached the origin than were expected.
        case surplusRequests
        /// A field of a request at the origin; `nil` where it was not sent.
        case requestField(name: String, seen: String?)
    }

    /// Where the expectation was written: `file:line:column`.
    public var position: String
    /// What it is about: `status`, `fields.Age`, `origin-saw.requests`.
    public var subject: String
    /// What was expected.
    public var expected: String
    /// What was seen.
    public var seen: String
    /// The same as values, where verdicts depend on it.
    public var detail: Detail

    /// Creates a mismatch.
    public init(position: String, subject: String, expected: String, seen: String, detail: Detail = .other) {
        self.position = position
        self.subject = subject
        self.expected = expected
        self.seen = seen
        self.detail = detail
    }
}
