public import LocatedYAML
public import OriginScript

/// What the caller must see; every member that is not `nil` must hold.
public struct CallerExpectation: Sendable {
    /// Where the response may come from; any of them.
    public var sources: Located<[Provenance]>?
    /// Served although stale.
    public var isStale: Located<Bool>?
    /// Any of these status codes.
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
    /// Whether a lookup finds something.
    public var isFound: Located<Bool>?
    /// User info of a looked-up entry.
    public var userInfo: Located<[String: String]>?
    /// Redirects followed.
    public var redirects: Located<Int>?
    /// Time on the scenario's clock, in seconds.
    public var took: Located<NumberExpectation>?
    /// Rules among the findings.
    public var findings: Located<[String]>?

    /// Creates an expectation of nothing but some response.
    public init() {}
}

/// A header field's expectation.
public struct FieldExpectation: Sendable, Hashable {
    /// Name.
    public var name: String
    /// What is expected of its value.
    public var value: ValueExpectation

    /// Creates a field's expectation.
    public init(name: String, value: ValueExpectation) {
        self.name = name
        self.value = value
    }
}

/// What is expected of a field value.
public enum ValueExpectation: Sendable, Hashable {
    /// No such field.
    case absent
    /// Any value.
    case present
    /// This value, lines joined by `, `.
    case equal(FieldValue)
    /// Any other value, or none.
    case not(String)
    /// A value with this text in it.
    case contains(String)
    /// A number.
    case number(NumberExpectation)
}

/// What is expected of a number.
public enum NumberExpectation: Sendable, Hashable {
    /// This number.
    case equal(Double)
    /// Between these, both included; `nil` is open.
    case range(atLeast: Double?, atMost: Double?)
    /// Strictly between these; `nil` is open.
    case strictly(greater: Double?, less: Double?)
}

/// What is expected of content.
public enum BodyExpectation: Sendable, Hashable {
    /// This text.
    case text(String)
    /// So many bytes.
    case size(Int)
    /// The bytes that the labelled request got.
    case sameAs(String)
    /// This text among it.
    case contains(String)
}

/// What is expected of one parameter of `Cache-Status`.
public struct CacheStatusExpectation: Sendable, Hashable {
    /// `hit`, `fwd`, `fwd-status`, `ttl`, `stored`, `collapsed`, `key`, `detail`.
    public var parameter: String
    /// What is expected of its value; booleans are `true` and `absent`.
    public var value: ValueExpectation

    /// Creates a parameter's expectation.
    public init(parameter: String, value: ValueExpectation) {
        self.parameter = parameter
        self.value = value
    }
}

/// What is expected of the store.
public struct UsageExpectation: Sendable {
    /// Bytes in memory.
    public var memory: Located<NumberExpectation>?
    /// Bytes on disk.
    public var disk: Located<NumberExpectation>?
    /// Body files in the cache folder.
    public var files: Located<NumberExpectation>?
    /// Entries in either tier.
    public var entries: Located<NumberExpectation>?
    /// Steps that its database has taken since the usage was asked before, for lookups and for writing.
    public var databaseSteps: Located<NumberExpectation>?
    /// Texts each of which is in some file of its folder.
    public var readable: Located<[String]>?
    /// Texts that are in none of them.
    public var unreadable: Located<[String]>?

    /// Creates an expectation of nothing.
    public init() {}
}

/// What is expected of the origin's record.
public struct OriginExpectation: Sendable {
    /// Counts this path only; `nil` for all.
    public var path: String?
    /// Counts this method only; `nil` for all.
    public var method: String?
    /// Counts from the previous `origin-saw` instead of the beginning.
    public var sinceLast = false
    /// How many requests.
    public var requests: Located<NumberExpectation>?
    /// One of the requests counted: the last (`number` nil) or the n-th.
    public var requestExpectations: [Located<RecordedRequestExpectation>] = []
    /// How many connections were opened.
    public var connections: Located<NumberExpectation>?
    /// How many exchanges the caller's side broke off.
    public var aborted: Located<NumberExpectation>?

    /// Creates an expectation of nothing.
    public init() {}
}

/// What is expected of one recorded request.
public struct RecordedRequestExpectation: Sendable, Hashable {
    /// Counted from 1; `nil` is the last.
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
    /// Whether it came on a connection that had carried another.
    public var isReusedConnection: Bool?
    /// The subject of the client's certificate, `CN=name`, or `none`; `nil` for any.
    public var clientCertificate: String?

    /// Creates an expectation of nothing.
    public init() {}
}
