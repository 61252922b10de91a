public import LocatedYAML
public import Scenarios

/// Requests in a chain or a sequence.
public struct ChainStep: Sendable {
    /// When a request may begin.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        /// When the callback of the one before has returned.
        case serial
        /// When the one before has been sent.
        case concurrent
        /// When the one before has succeeded, whose response it may use; a failure is the end.
        case dependent
    }
    /// When a request may begin.
    public var order = Order.serial
    /// How many of its requests may be under way at once; `nil` for the library's limit.
    public var limit: Int?
    /// The requests in order; never empty.
    public var requests: [FetchStep]
    /// How it is begun and ended.
    public var timing = StackTiming()
    /// What must come of the whole.
    public var expectation = GroupExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a serial chain.
    public init(_ requests: [FetchStep], position: Position) {
        self.requests = requests
        self.position = position
    }
}

/// Requests side by side with one end.
public struct BatchStep: Sendable {
    /// Whether a failure lets the others finish; else they are cancelled.
    public var letsRestFinish = false
    /// The requests; never empty.
    public var requests: [FetchStep]
    /// How it is begun and ended.
    public var timing = StackTiming()
    /// What must come of the whole.
    public var expectation = GroupExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a batch that a failure ends.
    public init(_ requests: [FetchStep], position: Position) {
        self.requests = requests
        self.position = position
    }
}

/// What must come of a chain or batch as a whole; every member that is not `nil` must hold.
public struct GroupExpectation: Sendable {
    /// Names in the order in which the requests ended and called back.
    public var order: Located<[String]>?
    /// `send NAME` and `end NAME` in the order in which that happened.
    public var course: Located<[String]>?
    /// How many succeeded.
    public var completed: Located<NumberExpectation>?
    /// How many failed, or never began because another had failed.
    public var failed: Located<NumberExpectation>?
    /// The first that failed; an empty text for none.
    public var stoppedAt: Located<String>?
    /// How many were under way at once at most.
    public var atOnce: Located<NumberExpectation>?
    /// How often the whole was told to have ended.
    public var completions: Located<NumberExpectation>?
    /// The error of the whole: Foundation's code; 0 for none.
    public var errorCode: Located<Int>?
    /// Time on the scenario's clock, in seconds.
    public var took: Located<NumberExpectation>?
    /// What lines of the debug log must have in them, in this order.
    public var log: Located<[String]>?

    /// Creates an expectation of success.
    public init() {}

    /// Whether it says how many succeed or fail, so that a request without expectation of its own may do either.
    public var countsOutcomes: Bool { completed != nil || failed != nil || stoppedAt != nil }
}

/// What came of a chain or batch.
public struct GroupObservation: Sendable {
    /// What came of each request, in the order in which they were given.
    public var results: [FetchObservation] = []
    /// `send NAME` and `end NAME` in order.
    public var course: [String] = []
    /// How many were under way at once at most.
    public var atOnce = 0
    /// How often the whole was told to have ended.
    public var completions = 0
    /// The error of the whole; `nil` for none.
    public var error: (code: Int, text: String)?
    /// Time on the scenario's clock, in seconds.
    public var took = 0.0
    /// Lines of the debug log that were written meanwhile.
    public var log: [String] = []

    /// Creates an observation of nothing.
    public init() {}
}
