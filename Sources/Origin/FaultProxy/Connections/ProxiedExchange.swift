import OriginScript

/// A request, the decisions of rules and faults on it, and the changes to its response.
///
/// A class, because many frames of tasks refer to one, and it is large.
final class ProxiedExchange: Sendable {
    /// The properties that distinguish the exchange from others.
    struct Identity: Sendable {
        /// The request's number at the proxy, from 1.
        let number: Int
        /// The number of the connection.
        let connection: Int
        /// The request's number on it, from 1.
        let count: Int
        /// Scheme and authority of the server whose TLS is terminated; empty for another, or where the target has them.
        let origin: String
        /// The time at which the request's head was read, by the proxy's clock and in seconds since 1970.
        let started: (elapsed: Duration, wallSeconds: Double)

        /// The connection and the request's number on it, such as `connection#3 request#2`.
        var name: String { "connection#\(connection) request#\(count)" }
    }
    /// The decisions of rules and faults on the exchange.
    struct Decision: Sendable {
        /// The decision of a rule; `nil` if none matches.
        let choice: RuleTable.Choice?
        /// The reason why the request is not valid for the proxy; `nil` if it is.
        let problem: String?
        /// The faults of the whole proxy, and those that the request has asked for, that happen.
        let proxyFaults: [Fault]
        /// The faults of the rule that happen.
        let ruleFaults: [Fault]
    }
    let request: ProxiedRequestHead
    private let identity: Identity
    private let decision: Decision
    /// Collects the exchange for a recording; `nil` without one.
    let capture: ExchangeCapture?
    /// Collects contents for the journal; `nil` without one.
    let contents: ExchangeContents?

    init(
        _ request: ProxiedRequestHead,
        _ identity: Identity,
        _ decision: Decision,
        capture: ExchangeCapture?,
        contents: ExchangeContents?
    ) {
        (self.request, self.identity, self.decision) = (request, identity, decision)
        (self.capture, self.contents) = (capture, contents)
    }

    var number: Int { identity.number }
    var name: String { identity.name }
    var origin: String { identity.origin }
    var started: (elapsed: Duration, wallSeconds: Double) { identity.started }
    var choice: RuleTable.Choice? { decision.choice }
    var problem: String? { decision.problem }

    /// The label by which a held response is released; empty without a rule.
    var label: String { choice?.label ?? "" }

    /// The change that the rule makes to the response; `nil` if it makes none.
    var passing: Passing? { choice?.answer?.passing }

    /// The faults of the request's content.
    var requestFaults: [Fault] {
        (decision.proxyFaults + decision.ruleFaults).filter { $0.event == .requestBody }
    }

    /// Whether the rule is for a response; without one, whether it is for every response.
    func ruleHolds(for head: ResponseHead?) -> Bool {
        guard let condition = choice?.rule.response else { return true }
        return head.map { condition.holds(for: $0) } ?? (condition == ResponseMatch())
    }

    /// Returns the faults that apply to a response or to its replacement.
    func faults(of head: ResponseHead?) -> [Fault] {
        let faults = decision.proxyFaults + (ruleHolds(for: head) ? decision.ruleFaults : [])
        return faults.filter { !$0.event.isBeforeAnswer }
    }
}
