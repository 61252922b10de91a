package import LocatedYAML
package import Scenarios

/// A group of requests: a chain, a sequence or a batch.
package struct GroupStep: Sendable {
    /// When the next request of a chain may start.
    package enum Order: String, Sendable, Hashable, CaseIterable {
        /// After the callback of the previous request has returned.
        case serial
        /// After the previous request has been sent.
        case concurrent
        /// After the previous request has succeeded; its response may be used, and a failure ends the chain.
        case dependent
    }
    /// A way to run the requests of a group.
    package enum Kind: Sendable, Hashable {
        /// In order; `limit` is the largest number of concurrent requests, `nil` for the library's default.
        case chain(Order, limit: Int?)
        /// Concurrently, with a common end; a failure cancels the remaining requests unless they continue.
        case batch(continuesAfterFailure: Bool)
    }
    /// The way in which the requests run.
    package var kind: Kind
    /// The requests in order; never empty.
    package var requests: [FetchStep]
    /// The manner in which the group starts and ends.
    package var timing = StackTiming()
    /// The expected outcome of the group.
    package var expectation = GroupExpectation()
    /// The position in the file.
    package var position: Position

    /// Creates a step that waits for the end of the group.
    package init(_ kind: Kind, _ requests: [FetchStep], position: Position) {
        self.kind = kind
        self.requests = requests
        self.position = position
    }
}

/// The expected outcome of a chain or batch; every member that is not `nil` must hold.
package struct GroupExpectation: Sendable {
    /// The names of the requests in the order in which they ended.
    package var order: Located<[String]>?
    /// The events `send NAME` and `end NAME` in chronological order.
    package var course: Located<[String]>?
    /// The number of requests that succeeded.
    package var completed: Located<NumberExpectation>?
    /// The number of requests that failed, or never started because another failed.
    package var failed: Located<NumberExpectation>?
    /// The name of the first request that failed; empty for none.
    package var stoppedAt: Located<String>?
    /// The largest number of concurrent requests.
    package var atOnce: Located<NumberExpectation>?
    /// The number of times the completion of the group was called.
    package var completions: Located<NumberExpectation>?
    /// Foundation's codes of the group's error, one of which is expected; 0 expects no error.
    package var errorCodes: Located<[Int]>?
    /// Time on the scenario's clock, in seconds.
    package var took: Located<NumberExpectation>?
    /// Texts that lines of the debug log must contain, in this order.
    package var log: Located<[String]>?

    /// Creates an expectation of success.
    package init() {}

    /// Whether successes or failures are counted, so that requests without an expectation may have either.
    package var countsOutcomes: Bool { completed != nil || failed != nil || stoppedAt != nil }
}

/// The outcome of a chain or batch.
package struct GroupObservation: Sendable {
    /// The outcomes of the requests, in the order of the step.
    package var results: [FetchObservation] = []
    /// The events `send NAME` and `end NAME` in chronological order.
    package var course: [String] = []
    /// The largest number of concurrent requests.
    package var atOnce = 0
    /// The number of times the completion of the group was called.
    package var completions = 0
    /// The error of the group; `nil` if there is none.
    package var error: (code: Int, text: String)?
    /// Time on the scenario's clock, in seconds.
    package var took = 0.0
    /// The lines of the debug log that were written while the group ran.
    package var log: [String] = []

    /// Creates an empty observation.
    package init() {}
}
