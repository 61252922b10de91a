import Locks

/// Two providers as one: what is known of the network as a whole, and of one host.
///
/// The order in which they report does not matter: by default the network's word counts, and the host's only as long
/// as the network's is unknown.
public final class CombinedReachability: ReachabilityProvider {
    /// How two reports become one.
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// The network's word counts; the host's where the network's is unknown.
        case networkDecides
        /// There is a network only where the host is reachable, too; of what kind, the network says.
        case bothMustAgree
    }
    private let network: any ReachabilityProvider
    private let host: any ReachabilityProvider
    private let rule: Rule
    private let board: StatusBoard
    private let observations = Lock([ReachabilityObservation]())

    /// Creates a provider that listens to both from now on.
    public init(
        network: any ReachabilityProvider,
        host: any ReachabilityProvider,
        rule: Rule = .networkDecides
    ) {
        (self.network, self.host, self.rule) = (network, host, rule)
        board = StatusBoard(Self.combine(network.status, host.status, rule))
        let listening = [network, host].map { provider in provider.observe { [weak self] _ in self?.look() } }
        observations.withLock { $0 = listening }
    }

    /// What both together say.
    public var status: NetworkStatus { Self.combine(network.status, host.status, rule) }

    /// Calls `listener` at every change of what both together say.
    public func observe(
        _ listener: @escaping @Sendable (NetworkStatus) -> Void
    ) -> ReachabilityObservation {
        board.observe(listener)
    }

    private func look() { board.set(status) }

    private static func combine(
        _ network: NetworkStatus,
        _ host: NetworkStatus,
        _ rule: Rule
    ) -> NetworkStatus {
        guard network != .unknown else { return host }
        guard rule == .bothMustAgree, host == .unreachable else { return network }
        return .unreachable
    }
}
