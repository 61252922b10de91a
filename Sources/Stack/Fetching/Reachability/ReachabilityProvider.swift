/// Whether there is a network, and its kind.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum NetworkStatus: String, Sendable, Hashable, CaseIterable {
    /// Not known yet; requests are sent.
    case unknown
    /// There is no network.
    case unreachable
    /// A wired network.
    case wired
    /// A wireless local network.
    case wifi
    /// A cellular network.
    case cellular
    /// There is a network of unknown kind.
    case reachable

    /// Whether requests are sent: unless there is no network.
    public var allowsRequests: Bool { self != .unreachable }
}

/// A provider of the network's status, which requests check as a hint before they are sent.
public protocol ReachabilityProvider: Sendable {
    /// The current status; `unknown` before the first check.
    var status: NetworkStatus { get }

    /// Begins to observe the network, once; called by a session when it is created, so before its first request.
    ///
    /// The default does nothing.
    func startObserving()

    /// Calls `listener` with the new status at every change from now on, until the observation is cancelled.
    func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation
}

/// A registration for changes; it ends when it is cancelled or its last reference is released.
public final class ReachabilityObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates an observation; `onCancel` ends it, and may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the observation.
    public func cancel() { onCancel() }
}

extension ReachabilityProvider {
    /// Does nothing.
    public func startObserving() {}

    /// Returns a stream of the changes from now on; it ends when its reader does.
    public func changes() -> AsyncStream<NetworkStatus> {
        AsyncStream { continuation in
            let observation = observe { continuation.yield($0) }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}
