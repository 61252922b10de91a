public import CacheOracle

/// The result of running a sequence.
public struct SequenceResult: Sendable {
    /// The objections of the oracle to one event.
    public struct Disagreement: Sendable, Equatable, CustomStringConvertible {
        /// Where: the number of a call, or of the exchange that it caused.
        public let event: String
        /// The reasons, each beginning with its section.
        public let reasons: [String]

        /// The event and its reasons.
        public var description: String { "\(event): \(reasons.joined(separator: "; "))" }

        /// The sections of the reasons, by which disagreements are grouped.
        public var sections: String {
            Set(reasons.compactMap { $0.split(separator: ":").first.map(String.init) })
                .sorted().joined(separator: ", ")
        }
    }

    /// One event, for the scenario that is printed.
    public enum Event: Sendable {
        case advanced(Int)
        /// Calls that arrived together, by number.
        case arrived([Int], [OracleRequest])
        case forwarded(exchange: Int, call: Int, OracleRequest)
        /// `nil` for a failure.
        case answered(exchange: Int, at: Int, delay: Int, OracleResponse?)
        case delivered(call: Int, Delivery)
    }

    /// In the order of the events; empty if the cache did only what the oracle permits.
    public internal(set) var disagreements: [Disagreement] = []
    /// Everything that happened, in order.
    public internal(set) var events: [Event] = []
    /// Adds an event.
    package mutating func note(_ event: Event) { events.append(event) }

    /// The number of responses delivered without their own exchange.
    public internal(set) var reused = 0
    /// The number of responses delivered.
    public internal(set) var delivered = 0
}
