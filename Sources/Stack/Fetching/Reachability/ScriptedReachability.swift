/// A provider that says what it is told to, for tests, scenarios and a switch of one's own.
public final class ScriptedReachability: ReachabilityProvider {
    private let board: StatusBoard

    /// Creates a provider; by default nobody has looked yet.
    public init(_ status: NetworkStatus = .unknown) { board = StatusBoard(status) }

    /// What it was told last; a change is told to everybody before this returns.
    public var status: NetworkStatus {
        get { board.status }
        set { board.set(newValue) }
    }

    /// Calls `listener` at every change.
    public func observe(
        _ listener: @escaping @Sendable (NetworkStatus) -> Void
    ) -> ReachabilityObservation {
        board.observe(listener)
    }
}
