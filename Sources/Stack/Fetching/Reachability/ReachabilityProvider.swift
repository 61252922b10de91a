/// Whether there is a network, and of what kind.
public enum NetworkStatus: String, Sendable, Hashable, CaseIterable {
    /// Nobody has looked yet; requests are tried.
    case unknown
    /// There is none.
    case unreachable
    /// By wire.
    case wired
    /// By radio, at a place of one's own.
    case wifi
    /// By a telephone network.
    case cellular
    /// There is one, of a kind that is not known.
    case reachable

    /// Whether requests are sent: always but where there is no network.
    public var allowsRequests: Bool { self != .unreachable }
}

/// What knows whether there is a network; a hint, which requests look at before they are sent.
public protocol ReachabilityProvider: Sendable {
    /// What is known now; `unknown` until somebody has looked.
    var status: NetworkStatus { get }

    /// Calls `listener` at every change from now on, with the new status, until the observation is cancelled.
    func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation
}

/// Somebody's interest in changes; it ends when it is cancelled or its last reference goes.
public final class ReachabilityObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates an observation that `onCancel` ends; it may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the observation.
    public func cancel() { onCancel() }
}

extension ReachabilityProvider {
    /// The status now, and each change from now on; it ends when nobody reads any more.
    public func changes() -> AsyncStream<NetworkStatus> {
        AsyncStream { continuation in
            let observation = observe { continuation.yield($0) }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}
