package import CacheSemantics

/// A caller's observation of one request, for any subject.
package struct CallerObservation: Sendable {
    /// The source of the response; `nil` if it is not known.
    package var source: Provenance?
    /// Whether the response was stale; `nil` if the subject does not report it.
    package var isStale: Bool?
    /// Status code; `nil` without a response.
    package var status: Int?
    /// Field lines as received, in order.
    package var fields: [(name: String, value: String)] = []
    /// 1xx responses before this one, of a subject that reports them.
    package var interim: [(status: Int, fields: [(name: String, value: String)])] = []
    /// Content; empty without a response.
    package var body: [UInt8] = []
    /// Age in seconds; `nil` if there is none.
    package var age: Double?
    /// Foundation's error code and its text; `nil` without an error.
    package var error: (code: Int, text: String)?
    /// Event names in order; `nil` if the subject does not report events.
    package var events: [String]?
    /// Sizes of the data events.
    package var chunks: [Int] = []
    /// Parameters of this cache's `Cache-Status` member; `nil` if there is none.
    package var cacheStatus: [String: String]?
    /// Whether a lookup found an entry; `nil` for other steps.
    package var isFound: Bool?
    /// For a lookup: the entry's user info.
    package var userInfo: [String: String] = [:]
    /// The number of redirects that were followed.
    package var redirects = 0
    /// Time on the scenario's clock from start to end, in seconds.
    package var took: Double = 0
    /// The engine's findings in order; empty if the subject does not report them.
    package var findings: [Finding] = []

    /// Creates an empty observation.
    package init() {}
}

/// One request as the origin recorded it.
package struct OriginObservation: Sendable {
    /// Method.
    package var method: String
    /// Path without the scenario's prefix.
    package var path: String
    /// Query without `?`; `nil` if there is none.
    package var query: String?
    /// Field lines as received, in order.
    package var fields: [(name: String, value: String)]
    /// Content.
    package var body: [UInt8]
    /// Number of the connection, from 1, within the scenario.
    package var connection = 1
    /// Whether the connection had carried another request before.
    package var isReusedConnection = false
    /// Whether the caller's side aborted the exchange.
    package var isAborted = false
    /// Status of the response; `nil` if none was sent.
    package var answeredStatus: Int?
    /// Wall seconds of the scenario's clock at arrival.
    package var arrivedAt: Double = 0
    /// The subject of the client's certificate; `nil` if the client sent none.
    package var clientCertificate: String?

    /// Creates the first request of a connection, which has no response yet.
    package init(
        method: String,
        path: String,
        query: String? = nil,
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
    }
}

/// One expectation that did not hold.
public struct Mismatch: Sendable, Hashable {
    /// Details that verdicts on other subjects depend on; the texts are for reports only.
    package enum Detail: Sendable, Hashable {
        /// No such detail.
        case other
        /// The response did not have the expected source; `seen` is `nil` if its source is not known.
        case source(expected: [Provenance], seen: Provenance?)
        /// There was no response; `expected` contains its expected sources, empty for any.
        case noResponse(expected: [Provenance])
        /// An error was expected, and another one occurred.
        case otherError
        /// The response had other content.
        case content
        /// The response has no age.
        case noAge
        /// The response has no `Cache-Status` of this cache.
        case noCacheStatus
        /// More requests than expected reached the origin.
        case surplusRequests
        /// A field of a request at the origin; `seen` is `nil` if the field was not sent.
        case requestField(name: String, seen: String?)
    }

    /// Position of the expectation: `file:line:column`.
    public package(set) var position: String
    /// The checked value: `status`, `fields.Age`, `origin-saw.requests`.
    public package(set) var subject: String
    /// The expected value.
    public package(set) var expected: String
    /// The observed value.
    public package(set) var seen: String
    /// The mismatch as a value, if verdicts depend on it.
    package var detail: Detail

    /// Creates a mismatch.
    package init(position: String, subject: String, expected: String, seen: String, detail: Detail = .other) {
        self.position = position
        self.subject = subject
        self.expected = expected
        self.seen = seen
        self.detail = detail
    }
}
