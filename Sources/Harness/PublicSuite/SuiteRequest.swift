public import LocatedYAML
public import OriginScript

/// One request of a test: what the client sends, what the origin answers, and what is expected of both.
public struct SuiteRequest: Sendable {
    /// Where the answer is expected to come from.
    public enum ExpectedType: String, Sendable, Hashable, CaseIterable {
        /// From the cache, without asking.
        case cached
        /// From the origin.
        case notCached = "not_cached"
        /// From the origin or the cache, after the origin was asked with If-Modified-Since.
        case validatedByDate = "lm_validated"
        /// The same, with If-None-Match.
        case validatedByTag = "etag_validated"
    }
    /// Something that may be expected, or explicitly not.
    public enum Demand<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Nothing is said.
        case none
        /// It must not be looked at.
        case skip
        /// This is expected.
        case value(Value)
    }
    /// What is expected of a field.
    public enum FieldDemand: Sendable, Hashable {
        /// That it is there; among the missing, that it is not.
        case name(String)
        /// That it has this value; among the missing, that it has not.
        case value(String, SuiteValue)
        /// That it has the value of another field.
        case sameAs(String, other: String)
        /// That it is larger than a number.
        case larger(String, than: Int)
    }

    /// What the origin answers.
    public var element: ElementScript
    /// The object as JSON, for another server.
    public var json: String
    /// Method; default GET.
    public var method = "GET"
    /// Field lines.
    public var fields: [SuiteField] = []
    /// Content; `nil` for none.
    public var body: String?
    /// Query; `nil` for none.
    public var query: String?
    /// Path below the test's; `nil` for none.
    public var filename: String?
    /// Whether redirects are followed; default true.
    public var followsRedirects = true
    /// The cache mode of the Fetch standard; `nil` for the default.
    public var cacheMode: String?
    /// Whether a number in If-Modified-Since counts from the origin's clock at the previous response.
    public var hasMagicDate = false
    /// Whether three seconds pass afterwards.
    public var pausesAfter = false
    /// Where the answer is expected to come from.
    public var expectedType: ExpectedType?
    /// Status code expected.
    public var expectedStatus = Demand<Int>.none
    /// Content expected.
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
    /// 1xx responses that the client is expected to see, with the names of their fields; `nil` for any.
    public var expectedInterim: [ElementScript.Interim]?
    /// Whether the content is looked at; default true.
    public var checksBody = true
    /// Whether every failure is one of the preparation.
    public var isSetup = false
    /// Members whose failure is one of the preparation.
    public var setupMembers: Set<String> = []
    /// Where it stands.
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
