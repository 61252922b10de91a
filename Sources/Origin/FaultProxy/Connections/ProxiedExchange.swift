import OriginScript

/// A request, what the rules and faults say of it, and what is to happen to its response.
///
/// A class, because many frames of tasks refer to one, and it is large.
final class ProxiedExchange: Sendable {
    /// The request's number at the proxy, from 1.
    let number: Int
    /// The connection and the request's number on it, such as `connection#3 request#2`.
    let name: String
    let request: ProxiedRequestHead
    /// Scheme and authority of the server whose TLS is terminated; empty for another, or where the target has them.
    let origin: String
    /// The decision of a rule; `nil` if none matches.
    let choice: RuleTable.Choice?
    /// The reason why the request is not valid for the proxy; `nil` where it is.
    let problem: String?
    /// The faults of the whole proxy, and those that the request has asked for, that happen.
    let proxyFaults: [Fault]
    /// The faults of the rule that happen.
    let ruleFaults: [Fault]
    /// Collects the exchange for a recording; `nil` without one.
    let capture: ExchangeCapture?
    /// Collects contents for the journal; `nil` without one.
    let contents: ExchangeContents?
    /// The time at which the request's head was read, by the proxy's clock and in seconds since 1970.
    let began: (elapsed: Duration, wallSeconds: Double)

    init(
        number: Int,
        name: String,
        request: ProxiedRequestHead,
        origin: String,
        choice: RuleTable.Choice?,
        problem: String?,
        proxyFaults: [Fault],
        ruleFaults: [Fault],
        capture: ExchangeCapture?,
        contents: ExchangeContents?,
        began: (elapsed: Duration, wallSeconds: Double)
    ) {
        (self.number, self.name, self.request, self.origin) = (number, name, request, origin)
        (self.choice, self.problem) = (choice, problem)
        (self.proxyFaults, self.ruleFaults) = (proxyFaults, ruleFaults)
        (self.capture, self.contents, self.began) = (capture, contents, began)
    }

    /// The label by which a held response is released; empty without a rule.
    var label: String { choice?.label ?? "" }

    /// How the rule changes the response; `nil` where it does not.
    var passing: Passing? { choice?.answer?.passing }

    /// The faults of the request's content.
    var requestFaults: [Fault] { (proxyFaults + ruleFaults).filter { $0.event == .requestBody } }

    /// Whether the rule is for a response; without one, whether it is for every response.
    func ruleHolds(for head: ResponseHead?) -> Bool {
        guard let condition = choice?.rule.response else { return true }
        return head.map { condition.holds(for: $0) } ?? (condition == ResponseMatch())
    }

    /// Returns the faults of a response, or of what takes the place of one.
    func faults(of head: ResponseHead?) -> [Fault] {
        let faults = proxyFaults + (ruleHolds(for: head) ? ruleFaults : [])
        return faults.filter { !$0.event.isBeforeAnswer }
    }
}
