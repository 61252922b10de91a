import Locks

/// The operations of the hammer's tasks and the errors found.
final class HammerTally: Sendable {
    private struct State {
        var done: [String: Int] = [:]
        var open: Set<Int> = []
        var next = 0
        var wrong = 0
        var examples: [String] = []
    }
    private let state = Lock(State())

    var wrongCount: Int { state.withLock { $0.wrong } }

    /// The number of callbacks that have not come yet.
    var openCount: Int { state.withLock { $0.open.count } }

    /// The number of all operations, and the first errors.
    var summary: String {
        let (done, examples) = state.withLock { ($0.done, $0.examples) }
        let counts = done.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return ([counts] + examples).joined(separator: "; ")
    }

    func did(_ what: String) { state.withLock { $0.done[what, default: 0] += 1 } }

    func isWrong(_ what: String) {
        state.withLock { state in
            state.wrong += 1
            if state.examples.count < 5 { state.examples.append(what) }
        }
    }

    /// Records an error unless a condition holds.
    func expect(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { isWrong(what()) } }

    /// Registers an expected callback and returns its number.
    func open() -> Int {
        state.withLock { state in
            state.next += 1
            state.open.insert(state.next)
            return state.next
        }
    }

    /// Records a callback; a second one with the same number is an error.
    func close(_ number: Int) {
        let wasOpen = state.withLock { $0.open.remove(number) != nil }
        expect(wasOpen, "a callback was called twice")
    }
}
