public import Clocks
import Locks

/// Whether one host answers, by trying to connect to it: when asked, and at intervals.
public final class HostReachability: ReachabilityProvider {
    /// Tells whether a host answers within a time.
    public typealias Check = @Sendable (_ host: String, _ port: UInt16, _ timeout: Duration) async -> Bool

    private struct State {
        var isStarted = false
        var isStopped = false
        var sleeper: Sleeper?
    }
    /// The host that is tried.
    public let host: String
    /// Its port.
    public let port: UInt16
    private let interval: Duration?
    private let timeout: Duration
    private let clock: any TimeSource
    private let check: Check
    private let board = StatusBoard(.unknown)
    private let state = Lock(State())

    /// Creates a provider that does not look yet, and whose status is `unknown`.
    ///
    /// - Parameters:
    ///   - host: The name or address of the host.
    ///   - port: Its port; default 443.
    ///   - interval: How long after one try the next is made; `nil`, the default, for none.
    ///   - timeout: How long a try may take; default 5 s.
    ///   - clock: Where time comes from.
    ///   - check: How a try is made; by default by connecting over TCP.
    public init(
        host: String,
        port: UInt16 = 443,
        every interval: Duration? = nil,
        timeout: Duration = .seconds(5),
        clock: any TimeSource,
        check: Check? = nil
    ) {
        (self.host, self.port, self.interval, self.timeout) = (host, port, interval, timeout)
        self.clock = clock
        self.check = check ?? { await ConnectionCheck.answers($0, $1, within: $2, clock: clock) }
    }

    deinit { stop() }

    /// What the last try brought: `reachable`, `unreachable`, or `unknown` before the first.
    public var status: NetworkStatus { board.status }

    /// Calls `listener` at every change.
    public func observe(
        _ listener: @escaping @Sendable (NetworkStatus) -> Void
    ) -> ReachabilityObservation {
        board.observe(listener)
    }

    /// Makes the first try now, and the others at their intervals; once.
    public func start() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if starts { Task { [weak self] in await self?.look() } }
    }

    /// Makes no more tries.
    public func stop() {
        let sleeper = state.withLock { state in
            state.isStopped = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Makes a try and returns what it brought.
    @discardableResult
    public func look() async -> NetworkStatus {
        let status: NetworkStatus = await check(host, port, timeout) ? .reachable : .unreachable
        board.set(status)
        planNext()
        return status
    }

    private func planNext() {
        guard let interval, state.withLock({ $0.isStarted && !$0.isStopped }) else { return }
        let sleeper = clock.schedule(after: interval) { [weak self] in
            Task { await self?.look() }
        }
        let (earlier, isStopped) = state.withLock { state in
            defer { state.sleeper = sleeper }
            return (state.sleeper, state.isStopped)
        }
        earlier?.cancel()
        if isStopped { sleeper.cancel() }
    }
}
