import OriginScript

/// The origin of one scenario or test, as its subject knows it.
protocol SubjectOrigin: Sendable {
    /// The absolute path below which it answers: `/-/TOKEN`.
    var base: String { get }
    /// Scheme and authority: `http://127.0.0.1:8090`.
    var authority: String { get }
    /// Returns the known requests after the first `count`, in order.
    func record(after count: Int) -> [OriginExchange]
    /// Whether it is known to have a request whose exchange has not ended.
    var hasOpenExchanges: Bool { get }
}

/// The origin of one scenario, as its steps see it.
protocol ScenarioOrigin: SubjectOrigin {
    /// The same as `authority` with the second host name.
    var otherAuthority: String { get }
    /// Releases held responses; `nil` releases all.
    func release(label: String?)
    /// Uses the answer with this number, from 1, for all further requests.
    func use(answer: Int, label: String)
    /// Changes the network.
    func use(network: NetworkSchedule)
    /// Refuses connections, or accepts them again.
    func refuseConnections(_ refuses: Bool) throws(HarnessProblem)
}
