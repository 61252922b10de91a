import Locks

/// How badly memory is needed elsewhere.
public enum MemoryPressure: Sendable, Hashable {
    /// Somebody had to wait for memory: what can be had again is given up in part.
    case warning
    /// Everybody had to wait for memory: what can be had again is given up.
    case critical
}

/// Who knows when memory is short.
public protocol MemoryPressureSource: Sendable {
    /// Calls `handler`, on any thread, at each signal for as long as the subscription is held.
    func subscribe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> PressureSubscription
}

/// Ends a subscription when it is let go.
public final class PressureSubscription: Sendable {
    private let onEnd: @Sendable () -> Void

    /// Creates a subscription whose end runs `onEnd`.
    public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}

/// Pressure that is told by hand: by a test, or by a program that knows better than the system.
public final class ScriptedMemoryPressure: MemoryPressureSource {
    private struct State {
        var handlers: [UInt64: @Sendable (MemoryPressure) -> Void] = [:]
        var next: UInt64 = 0
    }
    private let state = Lock(State())

    /// Creates a source that has no subscribers.
    public init() {}

    /// Adds a subscriber.
    public func subscribe(
        _ handler: @escaping @Sendable (MemoryPressure) -> Void
    ) -> PressureSubscription {
        let number = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        return PressureSubscription { [weak self] in
            self?.state.withLock { state in state.handlers[number] = nil }
        }
    }

    /// Tells every subscriber, on this thread, before it returns.
    public func signal(_ pressure: MemoryPressure) {
        let handlers = state.withLock { $0.handlers }
        for number in handlers.keys.sorted() { handlers[number]?(pressure) }
    }
}
