public import LocatedYAML
public import OriginScript

/// The caller's expectation; every member that is not `nil` must hold.
public struct CallerExpectation: Sendable {
    /// The permitted sources of the response.
    public var sources: Located<[Provenance]>?
    /// Whether the response is stale.
    public var isStale: Located<Bool>?
    /// The permitted status codes.
    public var statuses: Located<[Int]>?
    /// Header fields.
    public var fields: [Located<FieldExpectation>] = []
    /// Content.
    public var body: Located<BodyExpectation>?
    /// The age in seconds.
    public var age: Located<NumberExpectation>?
    /// Foundation's error code; 0 expects no error.
    public var errorCode: Located<Int>?
    /// Event names; a trailing `*` stands for one or more.
    public var events: Located<[String]>?
    /// Sizes of the data events.
    public var chunks: Located<[Int]>?
    /// Parameters of `Cache-Status`.
    public var cacheStatus: [Located<CacheStatusExpectation>] = []
    /// Whether a lookup finds an entry.
    public var isFound: Located<Bool>?
    /// User info of a looked-up entry.
    public var userInfo: Located<[String: String]>?
    /// The number of redirects that were followed.
    public var redirects: Located<Int>?
    /// Time on the scenario's clock, in seconds.
    public var took: Located<NumberExpectation>?
    /// Rules that must be among the findings.
    public var findings: Located<[String]>?

    /// Creates an expectation that any response meets.
    public init() {}
}

/// The expectation for a header field.
public struct FieldExpectation: Sendable, Hashable {
    /// Name.
    public var name: String
    /// The expectation for its value.
    public var value: ValueExpectation

    /// Creates the expectation for a field.
    public init(name: String, value: ValueExpectation) {
        self.name = name
        self.value = value
    }
}

/// An expectation for a field value.
public enum ValueExpectation: Sendable, Hashable {
    /// The field is absent.
    case absent
    /// The field is present with any value.
    case present
    /// This value, with lines joined by `, `.
    case equal(FieldValue)
    /// Any other value, or no field.
    case not(String)
    /// A value that contains this text.
    case contains(String)
    /// A number.
    case number(NumberExpectation)
}

/// An expectation for a number.
public enum NumberExpectation: Sendable, Hashable {
    /// This number.
    case equal(Double)
    /// Between these, both included; a `nil` bound is open.
    case range(atLeast: Double?, atMost: Double?)
    /// Strictly between these; a `nil` bound is open.
    case strictly(greater: Double?, less: Double?)
}

/// An expectation for content.
public enum BodyExpectation: Sendable, Hashable {
    /// This text.
    case text(String)
    /// This number of bytes.
    case size(Int)
    /// The content that the labelled request received.
    case sameAs(String)
    /// Content that contains this text.
    case contains(String)
}

/// The expectation for one parameter of `Cache-Status`.
public struct CacheStatusExpectation: Sendable, Hashable {
    /// `hit`, `fwd`, `fwd-status`, `ttl`, `stored`, `collapsed`, `key`, `detail`.
    public var parameter: String
    /// The expectation for its value; booleans are `true` and `absent`.
    public var value: ValueExpectation

    /// Creates the expectation for a parameter.
    public init(parameter: String, value: ValueExpectation) {
        self.parameter = parameter
        self.value = value
    }
}

/// An expectation for the store.
public struct UsageExpectation: Sendable {
    /// Bytes in memory.
    public var memory: Located<NumberExpectation>?
    /// Bytes on disk.
    public var disk: Located<NumberExpectation>?
    /// Body files in the cache folder.
    public var files: Located<NumberExpectation>?
    /// Entries in either tier.
    public var entries: Located<NumberExpectation>?
    /// Database steps for lookups and writes since the usage was last requested.
    public var databaseSteps: Located<NumberExpectation>?
    /// Texts that must each occur in some file of the store's folder.
    public var readable: Located<[String]>?
    /// Texts that must not occur in any of these files.
    public var unreadable: Located<[String]>?

    /// Creates an expectation that any store meets.
    public init() {}
}

/// An expectation for the origin's record.
public struct OriginExpectation: Sendable {
    /// The path of the requests that are counted; `nil` for all.
    public var path: String?
    /// The method of the requests that are counted; `nil` for all.
    public var method: String?
    /// Whether requests are counted from the previous `origin-saw` instead of from the beginning.
    public var sinceLast = false
    /// The number of requests.
    public var requests: Located<NumberExpectation>?
    /// Expectations for single requests: the last (`number` nil) or the n-th of those counted.
    public var requestExpectations: [Located<RecordedRequestExpectation>] = []
    /// The number of connections that were opened.
    public var connections: Located<NumberExpectation>?
    /// The number of exchanges that the caller's side aborted.
    public var aborted: Located<NumberExpectation>?

    /// Creates an expectation that any record meets.
    public init() {}
}

/// The expectation for one recorded request.
public struct RecordedRequestExpectation: Sendable, Hashable {
    /// The number of the request, from 1; `nil` is the last.
    public var number: Int?
    /// Method.
    public var method: String?
    /// Path.
    public var path: String?
    /// Query.
    public var query: String?
    /// Header fields.
    public var fields: [FieldExpectation] = []
    /// Content.
    public var body: BodyExpectation?
    /// The parts of a form, in order; `nil` for any content.
    public var formParts: [FormPartExpectation]?
    /// Whether its connection had carried another request.
    public var isReusedConnection: Bool?
    /// The subject of the client's certificate, `CN=name`, or `none`; `nil` for any.
    public var clientCertificate: String?

    /// Creates an expectation that any request meets.
    public init() {}
}
