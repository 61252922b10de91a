import Locks

/// The present status, and those who want to hear of changes; in order, each change once.
final class StatusBoard: Sendable {
    private struct State {
        var status: NetworkStatus
        var nextID = 0
        var listeners: [Int: @Sendable (NetworkStatus) -> Void] = [:]
        /// Changes that nobody has been told of yet.
        var news: [NetworkStatus] = []
        var isTelling = false
    }
    private let state: Lock<State>

    init(_ status: NetworkStatus) { state = Lock(State(status: status)) }

    var status: NetworkStatus { state.withLock { $0.status } }

    /// Changes the status and tells everybody, unless it is what it was.
    func set(_ status: NetworkStatus) {
        let tells = state.withLock { state in
            guard state.status != status else { return false }
            state.status = status
            state.news.append(status)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if tells { tell() }
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

    /// One thread at a time tells, so that nobody hears two changes the wrong way round.
    private func tell() {
        while let (status, listeners) = next() {
            for listener in listeners { listener(status) }
        }
    }

    private func next() -> (NetworkStatus, [@Sendable (NetworkStatus) -> Void])? {
        state.withLock { state in
            guard !state.news.isEmpty else {
                state.isTelling = false
                return nil
            }
            let listeners = state.listeners.sorted { $0.key < $1.key }.map(\.value)
            return (state.news.removeFirst(), listeners)
        }
    }
}
