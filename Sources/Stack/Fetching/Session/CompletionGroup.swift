import Locks

/// A group of requests whose completion is reported once.
///
/// A request whose configuration names the group belongs to it until the request's callback has returned.
public final class CompletionGroup: Sendable {
    private struct State {
        var count = 0
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Lock(State())

    /// Creates an empty group.
    public init() {}

    /// The number of requests in the group.
    public var count: Int { state.withLock { $0.count } }

    /// Adds a request, or any other work; each call must be balanced by a call of `leave()`.
    public func enter() { state.withLock { $0.count += 1 } }

    /// Ends one unit of work; the last call runs the actions that `notify` has registered.
    public func leave() {
        let actions = state.withLock { state in
            state.count -= 1
            guard state.count <= 0 else { return [@Sendable () -> Void]() }
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Calls `action` once, as soon as the group is empty; immediately if it is empty now.
    public func notify(_ action: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if state.count > 0 { state.actions.append(action) }
            return state.count <= 0
        }
        if isEmpty { action() }
    }

    /// Waits until the group is empty.
    public func wait() async {
        await withCheckedContinuation { continuation in notify { continuation.resume() } }
    }
}
