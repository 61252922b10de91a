import Locks

/// Admits a limited number of tasks at a time; the others wait in order, urgent ones before the rest.
final class Gate: Sendable {
    private struct State {
        var free: Int
        var urgent: [CheckedContinuation<Void, Never>] = []
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func next() -> CheckedContinuation<Void, Never>? {
            if !urgent.isEmpty { return urgent.removeFirst() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
    private let state: Lock<State>

    init(_ limit: Int) {
        state = Lock(State(free: max(1, limit)))
    }

    /// Returns when the task may proceed; the task ends its permit when it is done.
    func enter(isUrgent: Bool = false) async -> RequestPermit {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                if isUrgent { state.urgent.append(continuation) } else { state.waiting.append(continuation) }
                return false
            }
            if isFree { continuation.resume() }
        }
        return RequestPermit { [self] in leave() }
    }

    /// Admits the next task.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let next = state.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
