import Locks

/// The current status and its observers, which are notified of each change once and in order.
final class StatusPublisher: Sendable {
    private struct State {
        var status: NetworkStatus
        var nextID = 0
        var listeners: [Int: @Sendable (NetworkStatus) -> Void] = [:]
        /// Changes of which observers have not been notified yet.
        var pendingChanges: [NetworkStatus] = []
        var isNotifying = false
    }
    private let state: Lock<State>

    init(_ status: NetworkStatus) { state = Lock(State(status: status)) }

    var status: NetworkStatus { state.withLock { $0.status } }

    /// Sets the status and notifies the observers, unless it is unchanged.
    func set(_ status: NetworkStatus) {
        let notifies = state.withLock { state in
            guard state.status != status else { return false }
            state.status = status
            state.pendingChanges.append(status)
            defer { state.isNotifying = true }
            return !state.isNotifying
        }
        if notifies { notifyListeners() }
    }

    func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
        let id = state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return state.nextID
        }
        return ReachabilityObservation { [weak self] in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
    }

    /// Notifies the listeners of changes; only one thread at a time does, so that observers receive changes in order.
    private func notifyListeners() {
        while let (status, listeners) = next() {
            for listener in listeners { listener(status) }
        }
    }

    private func next() -> (NetworkStatus, [@Sendable (NetworkStatus) -> Void])? {
        state.withLock { state in
            guard !state.pendingChanges.isEmpty else {
                state.isNotifying = false
                return nil
            }
            let listeners = state.listeners.sorted { $0.key < $1.key }.map(\.value)
            return (state.pendingChanges.removeFirst(), listeners)
        }
    }
}
