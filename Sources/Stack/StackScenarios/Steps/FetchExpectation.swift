public import LocatedYAML
public import Scenarios

/// What must come of one request of the stack; every member that is not `nil` must hold.
public struct FetchExpectation: Sendable {
    /// Status, fields, content, source, error and time, as of any request.
    public var caller = CallerExpectation()
    /// What the serializer has made of the content: `json`, `xml`, `text`, `bytes`, `image` or `nothing`.
    public var value: Located<String>?
    /// How often it was sent.
    public var attempts: Located<NumberExpectation>?
    /// The kind of failure, by the name of `FetchFailureKind`.
    public var failure: Located<String>?
    /// What the error's sentence must have in it.
    public var reason: Located<String>?

    /// Creates an expectation of nothing but a response.
    public init() {}

    /// Whether an error is expected.
    public var expectsFailure: Bool {
        failure != nil || reason != nil || (caller.errorCode?.value ?? 0) != 0
    }
}

/// The kinds of failure that the stack tells apart, by the names that scenarios use.
public enum FetchFailureKind: String, Sendable, Hashable, CaseIterable {
    /// Cancelled by its caller.
    case cancelled
    /// There is no network, and no cache had an answer.
    case offline
    /// Nothing came in time.
    case timedOut = "timed-out"
    /// The exchange failed.
    case transport
    /// It cannot be sent.
    case badRequest = "bad-request"
    /// The status is not accepted.
    case status
    /// No serializer takes the media type.
    case type
    /// The content is not what its media type says.
    case undecodable
    /// The content is not what the request says it must be.
    case invalid
    /// One that it depends on failed.
    case dependency
    /// A file cannot be read or written.
    case storage
}

/// What came of one request of the stack.
public struct FetchObservation: Sendable {
    /// Its name.
    public var name: String
    /// What any caller sees.
    public var caller: CallerObservation
    /// What the serializer has made of the content; `nil` for a failure.
    public var value: String?
    /// How often it was sent; `nil` where that is not known.
    public var attempts: Int?
    /// The kind of failure; `nil` for a response.
    public var failure: FetchFailureKind?

    /// Creates an observation of nothing.
    public init(name: String, caller: CallerObservation = CallerObservation()) {
        self.name = name
        self.caller = caller
    }
}
