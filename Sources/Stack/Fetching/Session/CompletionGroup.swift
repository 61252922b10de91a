import Locks

/// Several requests whose end is one event.
///
/// Each request of a configuration that names the group is in it until its callback has returned.
public final class CompletionGroup: Sendable {
    private struct State {
        var count = 0
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Lock(State())

    /// Creates an empty group.
    public init() {}

    /// How many requests are in it.
    public var count: Int { state.withLock { $0.count } }

    /// Adds a request, or any other work, which `leave()` must end.
    public func enter() { state.withLock { $0.count += 1 } }

    /// Ends what `enter()` began; the last one calls what waits.
    public func leave() {
        let actions = state.withLock { state in
            state.count -= 1
            guard state.count <= 0 else { return [@Sendable () -> Void]() }
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Calls `action` once, when nothing is in the group: at once where nothing is.
    public func notify(_ action: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if state.count > 0 { state.actions.append(action) }
            return state.count <= 0
        }
        if isEmpty { action() }
    }

    /// Waits until nothing is in the group.
    public func wait() async {
        await withCheckedContinuation { continuation in notify { continuation.resume() } }
    }
}
