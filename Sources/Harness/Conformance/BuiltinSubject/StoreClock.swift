import Clocks
import Locks

/// The clock of a store that several scenarios use in turn: always the clock of the current scenario.
final class StoreClock: TimeSource {
    private let scenario: Lock<VirtualClock>

    init(_ clock: VirtualClock) {
        scenario = Lock(clock)
    }

    /// The clock of the scenario that uses the store.
    var current: VirtualClock { scenario.withLock { $0 } }

    var timeSinceEpoch: Duration { current.timeSinceEpoch }

    var elapsed: Duration { current.elapsed }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        current.schedule(after: delay, wake)
    }

    /// Uses the clock of the next scenario from now on.
    func follow(_ clock: VirtualClock) {
        scenario.withLock { $0 = clock }
    }
}
