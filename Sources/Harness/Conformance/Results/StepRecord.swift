package import CacheSemantics
package import LocatedYAML
package import Scenarios

/// One step that was run and what both ends saw meanwhile.
package struct StepRecord: Sendable {
    /// The step's number among those that were run, from 1.
    package var number: Int
    /// A description of the step: `GET /a`, `advance 59 s`.
    package var title: String
    /// The step's position in the file.
    package var position: Position
    /// Seconds on the scenario's clock from its beginning to the step's beginning.
    package var startedAt: Double
    /// The caller's requests and their results; several for `parallel`.
    package var exchanges: [CallerExchange] = []
    /// The requests that reached the origin meanwhile, in order of arrival.
    package var arrivals: [OriginExchange] = []
    /// The events that an extension reports about its step, in order.
    package var course: [Moment] = []
    /// The expectations that did not hold.
    package var mismatches: [Mismatch] = []

    /// An event and its time.
    package struct Moment: Sendable, Hashable {
        /// Seconds on the scenario's clock since the beginning of the work that the event belongs to.
        package var at: Double
        /// The event: `send a`, `end a`.
        package var what: String

        /// Creates a moment.
        package init(at: Double, what: String) {
            self.at = at
            self.what = what
        }
    }

    /// Creates the record of a step that starts.
    package init(number: Int, title: String, position: Position, startedAt: Double) {
        self.number = number
        self.title = title
        self.position = position
        self.startedAt = startedAt
    }
}

/// A caller's request and the caller's observation of the response.
package struct CallerExchange: Sendable {
    /// Method.
    package var method: String
    /// The path and query as the scenario gives them.
    package var target: String
    /// Field lines that the caller set.
    package var fields: [(name: String, value: String)]
    /// The policy of the request; `nil` if it sets none.
    package var policy: RequestCachePolicy?
    /// The caller's observation.
    package var seen: CallerObservation

    /// Creates an exchange.
    package init(
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
package struct OriginExchange: Sendable {
    /// The request that the origin received.
    package var request: OriginObservation
    /// The field lines of the response; empty if they are not known.
    package var answerFields: [(name: String, value: String)]

    /// The interim responses that the origin sent before, in order.
    package var interimResponses: [Interim] = []

    /// The head of a response with a status from 100 to 199.
    package struct Interim: Sendable {
        /// Status.
        package var status: Int
        /// Field lines in order.
        package var fields: [(name: String, value: String)]

        /// Creates a head.
        package init(status: Int, fields: [(name: String, value: String)]) {
            self.status = status
            self.fields = fields
        }
    }

    /// Creates an exchange.
    package init(_ request: OriginObservation, answerFields: [(name: String, value: String)] = []) {
        self.request = request
        self.answerFields = answerFields
    }
}
