/// A provider whose status is set by its user, for tests, scenarios and manual control.
public final class ScriptedReachability: ReachabilityProvider {
    private let publisher: StatusPublisher

    /// Creates a provider; the default status is `unknown`.
    public init(_ status: NetworkStatus = .unknown) { publisher = StatusPublisher(status) }

    /// The status; observers are notified of a change before the setter returns.
    public var status: NetworkStatus {
        get { publisher.status }
        set { publisher.set(newValue) }
    }

    /// Calls `listener` at every change.
    public func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
        publisher.observe(listener)
    }
}
