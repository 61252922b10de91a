package import LocatedYAML
package import OriginScript

/// The caller's expectation; every member that is not `nil` must hold.
package struct CallerExpectation: Sendable {
    /// The permitted sources of the response.
    package var sources: Located<[Provenance]>?
    /// Whether the response is stale.
    package var isStale: Located<Bool>?
    /// The permitted status codes.
    package var statuses: Located<[Int]>?
    /// Header fields.
    package var fields: [Located<FieldExpectation>] = []
    /// Content.
    package var body: Located<BodyExpectation>?
    /// The age in seconds.
    package var age: Located<NumberExpectation>?
    /// Foundation's error codes, one of which is expected; 0 expects no error.
    package var errorCodes: Located<[Int]>?
    /// Event names; a trailing `*` matches one or more.
    package var events: Located<[String]>?
    /// Sizes of the data events.
    package var chunks: Located<[Int]>?
    /// Parameters of `Cache-Status`.
    package var cacheStatus: [Located<CacheStatusExpectation>] = []
    /// Whether a lookup finds an entry.
    package var isFound: Located<Bool>?
    /// User info of a looked-up entry.
    package var userInfo: Located<[String: String]>?
    /// The number of redirects that were followed.
    package var redirects: Located<Int>?
    /// Time on the scenario's clock, in seconds.
    package var took: Located<NumberExpectation>?
    /// Rules that must be among the findings.
    package var findings: Located<[FindingExpectation]>?

    /// Creates an expectation that any response meets.
    package init() {}
}

/// A rule that must be among the findings.
package struct FindingExpectation: Sendable, Hashable {
    /// The id of the rule.
    package var rule: String
    /// Whether the rule must have held, or must not have held; `nil` for either.
    package var held: Bool?

    /// Creates an expectation, by default of a finding that held or did not.
    package init(rule: String, held: Bool? = nil) {
        self.rule = rule
        self.held = held
    }
}

/// The expectation for a header field.
package struct FieldExpectation: Sendable, Hashable {
    /// Name.
    package var name: String
    /// The expectation for its value.
    package var value: ValueExpectation

    /// Creates the expectation for a field.
    package init(name: String, value: ValueExpectation) {
        self.name = name
        self.value = value
    }
}

/// An expectation for a field value.
package enum ValueExpectation: Sendable, Hashable {
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
package enum NumberExpectation: Sendable, Hashable {
    /// This number.
    case equal(Double)
    /// Between these, inclusive; a `nil` bound is open.
    case range(atLeast: Double?, atMost: Double?)
    /// Strictly between these; a `nil` bound is open.
    case strictly(greater: Double?, less: Double?)
}

/// An expectation for content.
package enum BodyExpectation: Sendable, Hashable {
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
package struct CacheStatusExpectation: Sendable, Hashable {
    /// `hit`, `fwd`, `fwd-status`, `ttl`, `stored`, `collapsed`, `key`, `detail`.
    package var parameter: String
    /// The expectation for its value; booleans are `true` and `absent`.
    package var value: ValueExpectation

    /// Creates the expectation for a parameter.
    package init(parameter: String, value: ValueExpectation) {
        self.parameter = parameter
        self.value = value
    }
}

/// An expectation for the store.
package struct UsageExpectation: Sendable {
    /// Bytes in memory.
    package var memory: Located<NumberExpectation>?
    /// Bytes on disk.
    package var disk: Located<NumberExpectation>?
    /// Body files in the cache folder.
    package var files: Located<NumberExpectation>?
    /// Entries in either tier.
    package var entries: Located<NumberExpectation>?
    /// Database steps for lookups and writes since the usage was last requested.
    package var databaseSteps: Located<NumberExpectation>?
    /// Texts that must each occur in some file of the store's folder.
    package var readable: Located<[String]>?
    /// Texts that must not occur in any of these files.
    package var unreadable: Located<[String]>?

    /// Creates an expectation that any store meets.
    package init() {}
}

/// An expectation for the origin's record.
package struct OriginExpectation: Sendable {
    /// The path of the requests that are counted; `nil` for all.
    package var path: String?
    /// The method of the requests that are counted; `nil` for all.
    package var method: String?
    /// Whether requests are counted from the previous `origin-saw` instead of from the beginning.
    package var sinceLast = false
    /// The number of requests.
    package var requests: Located<NumberExpectation>?
    /// Expectations for single requests: the last (`number` nil) or the n-th of those counted.
    package var requestExpectations: [Located<RecordedRequestExpectation>] = []
    /// The number of connections that were opened.
    package var connections: Located<NumberExpectation>?
    /// The number of exchanges that the caller's side aborted.
    package var aborted: Located<NumberExpectation>?

    /// Creates an expectation that any record meets.
    package init() {}
}

/// The expectation for one recorded request.
package struct RecordedRequestExpectation: Sendable, Hashable {
    /// The number of the request, from 1; `nil` is the last.
    package var number: Int?
    /// Method.
    package var method: String?
    /// Path.
    package var path: String?
    /// Query.
    package var query: String?
    /// Header fields.
    package var fields: [FieldExpectation] = []
    /// Content.
    package var body: BodyExpectation?
    /// The parts of a form, in order; `nil` permits any content.
    package var formParts: [FormPartExpectation]?
    /// Whether its connection had carried another request.
    package var isReusedConnection: Bool?
    /// The subject of the client's certificate, `CN=name`, or `none`; `nil` permits any.
    package var clientCertificate: String?

    /// Creates an expectation that any request meets.
    package init() {}
}
