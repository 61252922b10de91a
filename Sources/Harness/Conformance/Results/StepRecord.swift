public import CacheSemantics
public import LocatedYAML
public import Scenarios

/// One step that was run and what both ends saw meanwhile.
public struct StepRecord: Sendable {
    /// The step's number among those that were run, from 1.
    public var number: Int
    /// A description of the step: `GET /a`, `advance 59 s`.
    public var title: String
    /// The step's position in the file.
    public var position: Position
    /// Seconds on the scenario's clock from its beginning to the step's beginning.
    public var startedAt: Double
    /// The caller's requests and their results; several for `parallel`.
    public var exchanges: [CallerExchange] = []
    /// The requests that reached the origin meanwhile, in order of arrival.
    public var arrivals: [OriginExchange] = []
    /// The events that an extension reports about its step, in order.
    public var course: [Moment] = []
    /// The expectations that did not hold.
    public var mismatches: [Mismatch] = []

    /// An event and its time.
    public struct Moment: Sendable, Hashable {
        /// Seconds on the scenario's clock since the beginning of the work that the event belongs to.
        public var at: Double
        /// The event: `send a`, `end a`.
        public var what: String

        /// Creates a moment.
        public init(at: Double, what: String) {
            self.at = at
            self.what = what
        }
    }

    /// Creates the record of a step that starts.
    public init(number: Int, title: String, position: Position, startedAt: Double) {
        self.number = number
        self.title = title
        self.position = position
        self.startedAt = startedAt
    }
}

/// A caller's request and the caller's observation of the response.
public struct CallerExchange: Sendable {
    /// Method.
    public var method: String
    /// The path and query as the scenario gives them.
    public var target: String
    /// Field lines that the caller set.
    public var fields: [(name: String, value: String)]
    /// The policy of the request; `nil` if it sets none.
    public var policy: RequestCachePolicy?
    /// The caller's observation.
    public var seen: CallerObservation

    /// Creates an exchange.
    public init(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        seen: CallerObservation
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.seen = seen
    }
}

/// A request as the origin recorded it, and the origin's response.
public struct OriginExchange: Sendable {
    /// The request.
    public var request: OriginObservation
    /// The field lines of the response; empty if they are not known.
    public var answerFields: [(name: String, value: String)]

    /// The interim responses that the origin sent before, in order.
    public var interimResponses: [Interim] = []

    /// The head of a response with a status from 100 to 199.
    public struct Interim: Sendable {
        /// Status.
        public var status: Int
        /// Field lines in order.
        public var fields: [(name: String, value: String)]

        /// Creates a head.
        public init(status: Int, fields: [(name: String, value: String)]) {
            self.status = status
            self.fields = fields
        }
    }

    /// Creates an exchange.
    public init(_ request: OriginObservation, answerFields: [(name: String, value: String)] = []) {
        self.request = request
        self.answerFields = answerFields
    }
}
