import Locks

/// A place among those that may be at work at once, which is given up once.
final class Turn: Sendable {
    /// How long somebody counts as being at work: after that he waits for what a script says, and lets another go on.
    static let length = Duration.milliseconds(100)
    private let onEnd: Lock<(@Sendable () -> Void)?>

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Lock(onEnd)
    }

    /// Gives it up; may be repeated.
    func end() {
        let action = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        action?()
    }
}

/// The turns that one scenario has at a time, which it gives up as soon as it waits for nothing but its origin's script.
final class ScenarioTurns: Sendable {
    private let turns = Lock<[Turn]>([])

    /// Adds one that begins.
    func add(_ turn: Turn) {
        turns.withLock { $0.append(turn) }
    }

    /// Gives up all.
    func endAll() {
        let ending = turns.withLock { turns in
            defer { turns = [] }
            return turns
        }
        for turn in ending { turn.end() }
    }
}
