import OriginScript

/// An origin that is reached through a proxy.
final class ProxiedOrigin: ScenarioOrigin {
    private let origin: NamespaceOrigin
    let authority: String
    var otherAuthority: String { authority }

    init(_ origin: NamespaceOrigin, proxy: String) {
        self.origin = origin
        authority = proxy
    }

    var base: String { origin.base }

    func record(after count: Int) -> [OriginExchange] { origin.record(after: count) }

    var hasOpenExchanges: Bool { origin.hasOpenExchanges }

    func release(label: String?) { origin.release(label: label) }

    func use(answer: Int, label: String) { origin.use(answer: answer, label: label) }

    func use(network: NetworkSchedule) { origin.use(network: network) }

    func refuseConnections(_ refuses: Bool) throws(HarnessProblem) {
        throw HarnessProblem("other scenarios also use the origin")
    }
}
