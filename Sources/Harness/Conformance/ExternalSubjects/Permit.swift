import Locks

/// One of a limited number of permits to be active; ended once.
final class Permit: Sendable {
    /// The time for which a request counts as active; then it is assumed to wait for the script, and another may start.
    static let length = Duration.milliseconds(100)
    private let onEnd: Lock<(@Sendable () -> Void)?>

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Lock(onEnd)
    }

    /// Ends the permit; further calls have no effect.
    func end() {
        let action = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        action?()
    }
}

/// The permits of one scenario, which end as soon as it waits only for its origin's script.
final class ScenarioPermits: Sendable {
    private let permits = Lock<[Permit]>([])

    /// Adds an active permit.
    func add(_ permit: Permit) {
        permits.withLock { $0.append(permit) }
    }

    /// Ends all permits.
    func endAll() {
        let ending = permits.withLock { permits in
            defer { permits = [] }
            return permits
        }
        for permit in ending { permit.end() }
    }
}
