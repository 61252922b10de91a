import OriginScript

/// The origin of one scenario, as its steps see it.
protocol ScenarioOrigin: Sendable {
    /// Absolute path below which the script answers: `/-/TOKEN`.
    var base: String { get }
    /// Scheme and authority: `http://127.0.0.1:8090`.
    var authority: String { get }
    /// The same under the second host name.
    var otherAuthority: String { get }
    /// What arrived after the first `count` requests, in order.
    func record(after count: Int) -> [OriginExchange]
    /// Lets stalled answers go; `nil` for all.
    func release(label: String?)
    /// Gives the answer, counted from 1, from now on.
    func use(answer: Int, label: String)
    /// Changes the network.
    func use(network: NetworkSchedule)
    /// Refuses connections, or accepts them again.
    func refuseConnections(_ refuses: Bool) throws(HarnessProblem)
}
