public import Clocks
import Locks

/// The reachability of one host, tested by connecting to it on demand and at intervals.
public final class HostReachability: ReachabilityProvider {
    /// Returns whether a host responds within a time.
    public typealias Check = @Sendable (_ host: String, _ port: Int, _ timeout: Duration) async -> Bool

    private struct State {
        var isStarted = false
        var isStopped = false
        var sleeper: Sleeper?
    }
    /// The host to connect to.
    public let host: String
    /// The port to which connections are attempted.
    public let port: Int
    private let interval: Duration?
    private let timeout: Duration
    private let clock: any TimeSource
    private let check: Check
    private let publisher = StatusPublisher(.unknown)
    private let state = Lock(State())

    /// Creates a provider that has not started, with the status `unknown`.
    ///
    /// - Parameters:
    ///   - host: The name or address of the host.
    ///   - port: Its port; default 443.
    ///   - interval: The time between an attempt and the next; `nil`, the default, for no further attempts.
    ///   - timeout: The timeout of an attempt; default 5 s.
    ///   - clock: The source of time.
    ///   - check: How an attempt is made; the default connects over TCP.
    public init(
        host: String,
        port: Int = 443,
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

    /// The result of the last attempt: `reachable`, `unreachable`, or `unknown` before the first.
    public var status: NetworkStatus { publisher.status }

    /// Calls `listener` at every change.
    public func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
        publisher.observe(listener)
    }

    /// Makes the first attempt now, and others at intervals; has an effect once.
    public func start() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if starts { Task { [weak self] in await self?.probe() } }
    }

    /// Does the same as `start()`.
    public func startObserving() { start() }

    /// Stops further attempts.
    public func stop() {
        let sleeper = state.withLock { state in
            state.isStopped = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Makes an attempt and returns its result.
    @discardableResult
    public func probe() async -> NetworkStatus {
        let status: NetworkStatus = await check(host, port, timeout) ? .reachable : .unreachable
        publisher.set(status)
        planNext()
        return status
    }

    private func planNext() {
        guard let interval, state.withLock({ $0.isStarted && !$0.isStopped }) else { return }
        let sleeper = clock.schedule(after: interval) { [weak self] in
            Task { await self?.probe() }
        }
        let (earlier, isStopped) = state.withLock { state in
            defer { state.sleeper = sleeper }
            return (state.sleeper, state.isStopped)
        }
        earlier?.cancel()
        if isStopped { sleeper.cancel() }
    }
}
