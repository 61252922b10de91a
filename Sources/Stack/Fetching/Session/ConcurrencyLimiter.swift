import Locks

/// Lets a limited number through at once; who waits goes by priority, then in the order of coming.
final class FlightGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let priority: Int
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var limit: Int
        var inside = 0
        var next: UInt64 = 0
        var waiters: [Waiter] = []
        /// Numbers of those who were cancelled before they began to wait.
        var gone: Set<UInt64> = []
    }
    private let state: Lock<State>

    init(limit: Int) { state = Lock(State(limit: max(limit, 1))) }

    /// How many may be inside at once, at least 1; those who are inside stay.
    var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            let admitted = state.withLock { state in
                state.limit = max(newValue, 1)
                return Self.admit(&state)
            }
            for waiter in admitted { waiter.continuation.resume(returning: true) }
        }
    }

    /// How many wait for a place.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// How many are inside.
    var inside: Int { state.withLock { $0.inside } }

    /// Waits for a place, which `leave()` gives back; throws when the task is cancelled meanwhile.
    func enter(priority: Int = 0) async throws(FetchError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isInside = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, priority, $0) }
        } onCancel: {
            giveUp(number)
        }
        guard isInside else { throw .cancelled }
        // Who was cancelled between coming in and hearing of it is inside; nobody else would forget the number.
        state.withLock { _ = $0.gone.remove(number) }
    }

    /// Gives a place back.
    func leave() {
        let admitted = state.withLock { state in
            state.inside -= 1
            return Self.admit(&state)
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func wait(_ number: UInt64, _ priority: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let isInside: Bool? = state.withLock { state in
            if state.gone.remove(number) != nil { return false }
            if state.waiters.isEmpty, state.inside < state.limit {
                state.inside += 1
                return true
            }
            let place = state.waiters.firstIndex { $0.priority < priority } ?? state.waiters.endIndex
            let waiter = Waiter(number: number, priority: priority, continuation: continuation)
            state.waiters.insert(waiter, at: place)
            return nil
        }
        if let isInside { continuation.resume(returning: isInside) }
    }

    private func giveUp(_ number: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.gone.insert(number)
                return nil
            }
            return state.waiters.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }

    private static func admit(_ state: inout State) -> [Waiter] {
        let count = min(max(state.limit - state.inside, 0), state.waiters.count)
        let admitted = Array(state.waiters.prefix(count))
        state.waiters.removeFirst(count)
        state.inside += count
        return admitted
    }
}
