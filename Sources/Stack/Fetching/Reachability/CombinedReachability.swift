public import Clocks
import Locks

/// Combines a provider for the network with a provider for one host.
///
/// The order in which they report does not matter. By default the network's status is used, and the host's
/// only while the network's is unknown.
public final class CombinedReachability: ReachabilityProvider {
    /// A rule by which the two statuses are combined.
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// The network's status is used; the host's if the network's is unknown.
        case networkDecides
        /// There is a network only if the host is reachable, too; its kind is the network's status.
        case bothMustAgree
    }
    private let network: any ReachabilityProvider
    private let host: any ReachabilityProvider
    private let rule: Rule
    private let publisher: StatusPublisher
    private let observations = Lock([ReachabilityObservation]())

    /// Creates a provider that observes both from now on.
    public init(
        network: any ReachabilityProvider,
        host: any ReachabilityProvider,
        rule: Rule = .networkDecides
    ) {
        (self.network, self.host, self.rule) = (network, host, rule)
        publisher = StatusPublisher(Self.combine(network.status, host.status, rule))
        let registrations = [network, host].map { provider in
            provider.observe { [weak self] _ in self?.update() }
        }
        observations.withLock { $0 = registrations }
    }

    /// Creates a provider that has a network only if a host answers, too, over the network that the program shares.
    ///
    /// - Parameters:
    ///   - host: The name or address of the host.
    ///   - port: Its port; default 443.
    ///   - interval: The time between an attempt to connect to it and the next; `nil` for one attempt, default 30 s.
    ///   - clock: The source of time.
    public convenience init(
        host: String,
        port: Int = 443,
        every interval: Duration? = .seconds(30),
        clock: any TimeSource = SystemClock()
    ) {
        self.init(
            network: NetlinkReachability.shared.value,
            host: HostReachability(host: host, port: port, every: interval, clock: clock),
            rule: .bothMustAgree
        )
    }

    /// Starts both providers.
    public func startObserving() {
        network.startObserving()
        host.startObserving()
    }

    /// The combined status.
    public var status: NetworkStatus { Self.combine(network.status, host.status, rule) }

    /// Calls `listener` at every change of the combined status.
    public func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
        publisher.observe(listener)
    }

    private func update() { publisher.set(status) }

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
