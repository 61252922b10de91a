public import CacheSemantics
public import LocatedYAML
public import Scenarios

/// One step that was taken and what both ends saw meanwhile.
public struct StepRecord: Sendable {
    /// Its place among the steps taken, from 1.
    public var number: Int
    /// What was done: `GET /a`, `advance 59 s`.
    public var title: String
    /// Where it stands.
    public var position: Position
    /// Seconds on the scenario's clock from its beginning to the step's.
    public var startedAt: Double
    /// What the caller asked and got; several for `parallel`.
    public var exchanges: [CallerExchange] = []
    /// What reached the origin meanwhile, in order of arrival.
    public var arrivals: [OriginExchange] = []
    /// What an extension reports about its step, in order.
    public var course: [Moment] = []
    /// What did not hold.
    public var mismatches: [Mismatch] = []

    /// Something that happened, and when.
    public struct Moment: Sendable, Hashable {
        /// Seconds on the scenario's clock since the work that it belongs to was begun.
        public var at: Double
        /// What happened: `send a`, `end a`.
        public var what: String

        /// Creates a moment.
        public init(at: Double, what: String) {
            self.at = at
            self.what = what
        }
    }

    /// Creates a step that has just begun.
    public init(number: Int, title: String, position: Position, startedAt: Double) {
        self.number = number
        self.title = title
        self.position = position
        self.startedAt = startedAt
    }
}

/// A request as the caller made it and what the caller saw.
public struct CallerExchange: Sendable {
    /// Method.
    public var method: String
    /// Path and query as the scenario names them.
    public var target: String
    /// Field lines that the caller set.
    public var fields: [(name: String, value: String)]
    /// The policy that the request named; `nil` for none.
    public var policy: RequestCachePolicy?
    /// What the caller saw.
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

/// A request as the origin recorded it, and its answer.
public struct OriginExchange: Sendable {
    /// The request.
    public var request: OriginObservation
    /// Field lines of the answer; empty where they are not known.
    public var answerFields: [(name: String, value: String)]

    /// Creates an exchange.
    public init(_ request: OriginObservation, answerFields: [(name: String, value: String)] = []) {
        self.request = request
        self.answerFields = answerFields
    }
}
