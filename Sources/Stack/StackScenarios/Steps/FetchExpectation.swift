package import LocatedYAML
package import Scenarios

/// The expected outcome of one request of the stack; every member that is not `nil` must hold.
package struct FetchExpectation: Sendable {
    /// Status, fields, content, source, error and time, as for any request.
    package var caller = CallerExpectation()
    /// The kind of decoded value: `json`, `xml`, `text`, `bytes`, `image` or `nothing`.
    package var value: Located<String>?
    /// The number of attempts.
    package var attempts: Located<NumberExpectation>?
    /// The kind of failure, by the name of `FetchFailureKind`.
    package var failure: Located<String>?
    /// A text that the error's reason must contain.
    package var reason: Located<String>?

    /// Creates an expectation of a response.
    package init() {}

    /// Whether an error is expected.
    package var expectsFailure: Bool {
        failure != nil || reason != nil || caller.errorCodes.map { !$0.value.contains(0) } == true
    }
}

/// The kinds of failure, with the names used in scenarios.
package enum FetchFailureKind: String, Sendable, Hashable, CaseIterable {
    /// The caller cancelled the request.
    case cancelled
    /// The network is unavailable, and no cache could respond.
    case offline
    /// The inactivity timeout expired.
    case timedOut = "timed-out"
    /// The exchange failed.
    case transport
    /// The request cannot be sent.
    case badRequest = "bad-request"
    /// The status is not accepted.
    case status
    /// No serializer accepts the media type.
    case type
    /// The content does not match its media type.
    case undecodable
    /// The content does not meet the request's expectations.
    case invalid
    /// A request on which this one depends failed.
    case dependency
    /// A file cannot be read or written.
    case storage
}

/// The outcome of one request of the stack.
package struct FetchObservation: Sendable {
    /// The name of the request.
    package var name: String
    /// The observation that is common to all callers.
    package var caller: CallerObservation
    /// The kind of decoded value; `nil` for a failure.
    package var value: String?
    /// The number of attempts; `nil` if unknown.
    package var attempts: Int?
    /// The kind of failure; `nil` for a response.
    package var failure: FetchFailureKind?

    /// Creates an empty observation.
    package init(name: String, caller: CallerObservation = CallerObservation()) {
        self.name = name
        self.caller = caller
    }
}
