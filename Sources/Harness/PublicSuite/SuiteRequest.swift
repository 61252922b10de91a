public import LocatedYAML
public import OriginScript

/// One request of a test: what the client sends, what the origin responds, and what is expected of both.
public struct SuiteRequest: Sendable {
    /// The expected source of the response.
    public enum ExpectedType: String, Sendable, Hashable, CaseIterable {
        /// From the cache, without a request to the origin.
        case cached
        /// From the origin.
        case notCached = "not_cached"
        /// From the origin or the cache, after a request to the origin with If-Modified-Since.
        case validatedByDate = "lm_validated"
        /// The same, with If-None-Match.
        case validatedByTag = "etag_validated"
    }
    /// An expectation that may be missing or explicitly disabled.
    public enum Demand<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Nothing is specified.
        case none
        /// The value must not be checked.
        case skip
        /// This is expected.
        case value(Value)
    }
    /// The expectation for a field.
    public enum FieldDemand: Sendable, Hashable {
        /// The field is present; in the list of missing fields, absent.
        case name(String)
        /// The field has this value; in the list of missing fields, it does not.
        case value(String, SuiteValue)
        /// The field has the value of another field.
        case sameAs(String, other: String)
        /// The field's value is larger than a number.
        case larger(String, than: Int)
    }

    /// The origin's response.
    public var element: ElementScript
    /// The object as JSON, for another server.
    public var json: String
    /// Method; default GET.
    public var method = "GET"
    /// Field lines.
    public var fields: [SuiteField] = []
    /// Content; `nil` if there is none.
    public var body: String?
    /// Query; `nil` if there is none.
    public var query: String?
    /// Path below the test's; `nil` if there is none.
    public var filename: String?
    /// Whether redirects are followed; default true.
    public var followsRedirects = true
    /// The cache mode of the Fetch standard; `nil` for the default.
    public var cacheMode: String?
    /// Whether a number in If-Modified-Since counts from the origin's clock at the previous response.
    public var hasMagicDate = false
    /// Whether three seconds pass afterwards.
    public var pausesAfter = false
    /// The expected source of the response.
    public var expectedType: ExpectedType?
    /// The expected status code.
    public var expectedStatus = Demand<Int>.none
    /// The expected content.
    public var expectedText = Demand<String>.none
    /// Method that the origin is expected to see.
    public var expectedMethod: String?
    /// Fields that the origin is expected to see.
    public var expectedRequestFields: [FieldDemand] = []
    /// Fields that the origin is expected not to see.
    public var missingRequestFields: [FieldDemand] = []
    /// Fields that the client is expected to see.
    public var expectedResponseFields: [FieldDemand] = []
    /// Fields that the client is expected not to see.
    public var missingResponseFields: [FieldDemand] = []
    /// 1xx responses that the client is expected to see, with the names of their fields; `nil` permits any.
    public var expectedInterim: [ElementScript.Interim]?
    /// Whether the content is checked; default true.
    public var checksBody = true
    /// Whether every failure is one of the test's preparation.
    public var isSetup = false
    /// Members whose failure is one of the test's preparation.
    public var setupMembers: Set<String> = []
    /// The position of the request object in its file.
    public var position: Position
}

/// The members of a request object.
enum SuiteRequestKey: String, MapKey {
    case method = "request_method"
    case fields = "request_headers"
    case body = "request_body"
    case query = "query_arg"
    case filename, mode, credentials, cache, redirect
    case magicDate = "magic_ims"
    case pauseAfter = "pause_after"
    case status = "response_status"
    case responseFields = "response_headers"
    case responseBody = "response_body"
    case pause = "response_pause"
    case interim = "interim_responses"
    case disconnect
    case magicLocations = "magic_locations"
    case rfc850 = "rfc850date"
    case expectedType = "expected_type"
    case expectedMethod = "expected_method"
    case expectedStatus = "expected_status"
    case expectedRequestFields = "expected_request_headers"
    case missingRequestFields = "expected_request_headers_missing"
    case expectedResponseFields = "expected_response_headers"
    case missingResponseFields = "expected_response_headers_missing"
    case expectedText = "expected_response_text"
    case expectedInterim = "expected_interim_responses"
    case checkBody = "check_body"
    case setup
    case setupTests = "setup_tests"
    case name, id, dump
    static let mapName = "a request object"
}
