import Locks

/// One of a limited number of permits to be active; ended once.
final class RequestPermit: Sendable {
    /// How long a request counts as active; after that it is assumed to wait for the script, and another may begin.
    static let length = Duration.milliseconds(100)
    private let onEnd: Lock<(@Sendable () -> Void)?>

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Lock(onEnd)
    }

    /// Ends it; may be called again.
    func end() {
        let action = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        action?()
    }
}

/// The turns of one scenario, which end as soon as it waits only for its origin's script.
final class ScenarioPermits: Sendable {
    private let turns = Lock<[RequestPermit]>([])

    /// Adds one that has begun.
    func add(_ turn: RequestPermit) {
        turns.withLock { $0.append(turn) }
    }

    /// Ends all.
    func endAll() {
        let ending = turns.withLock { turns in
            defer { turns = [] }
            return turns
        }
        for turn in ending { turn.end() }
    }
}
