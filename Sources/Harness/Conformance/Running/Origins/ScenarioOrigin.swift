import OriginScript

/// The origin of one scenario, as its steps see it.
protocol ScenarioOrigin: Sendable {
    /// The absolute path below which the script answers: `/-/TOKEN`.
    var base: String { get }
    /// Scheme and authority: `http://127.0.0.1:8090`.
    var authority: String { get }
    /// The same with the second host name.
    var otherAuthority: String { get }
    /// Returns the requests after the first `count`, in order.
    func record(after count: Int) -> [OriginExchange]
    /// Releases held responses; `nil` releases all.
    func release(label: String?)
    /// Uses the answer with this number, from 1, for all further requests.
    func use(answer: Int, label: String)
    /// Changes the network.
    func use(network: NetworkSchedule)
    /// Refuses connections, or accepts them again.
    func refuseConnections(_ refuses: Bool) throws(HarnessProblem)
}
