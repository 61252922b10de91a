import Locks

/// The level of memory pressure.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MemoryPressure: Sendable, Hashable {
    /// Some tasks stalled for lack of memory: caches should be reduced.
    case warning
    /// All tasks stalled for lack of memory: caches should be emptied.
    case critical
}

/// A source of memory pressure signals.
public protocol MemoryPressureSource: Sendable {
    /// Calls `handler`, on any thread, at each signal, until the subscription is released.
    func subscribe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> PressureSubscription
}

/// A subscription, which ends when it is released.
public final class PressureSubscription: Sendable {
    private let onEnd: @Sendable () -> Void

    /// Creates a subscription; `onEnd` is called when it is released.
    public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}

/// A source whose signals are sent by its user, such as a test, or a program with its own measurements.
public final class ScriptedMemoryPressure: MemoryPressureSource {
    private struct State {
        var handlers: [UInt64: @Sendable (MemoryPressure) -> Void] = [:]
        var next: UInt64 = 0
    }
    private let state = Lock(State())

    /// Creates a source without subscribers.
    public init() {}

    /// Adds a subscriber.
    public func subscribe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> PressureSubscription {
        let number = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        return PressureSubscription { [weak self] in
            self?.state.withLock { state in state.handlers[number] = nil }
        }
    }

    /// Sends a signal to every subscriber on the current thread, before it returns.
    public func signal(_ pressure: MemoryPressure) {
        let handlers = state.withLock { $0.handlers }
        for number in handlers.keys.sorted() { handlers[number]?(pressure) }
    }
}
