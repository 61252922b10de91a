import Locks

/// What the tasks of the hammer did, and what came out wrong.
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

    /// Callbacks that are still to come.
    var openCount: Int { state.withLock { $0.open.count } }

    /// How often everything was done, and the first things that were wrong.
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

    /// Notes something wrong unless a condition holds.
    func expect(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { isWrong(what()) } }

    /// Expects one callback, whose number it returns.
    func open() -> Int {
        state.withLock { state in
            state.next += 1
            state.open.insert(state.next)
            return state.next
        }
    }

    /// A callback has come; the second of one number is wrong.
    func close(_ number: Int) {
        let wasOpen = state.withLock { $0.open.remove(number) != nil }
        expect(wasOpen, "a callback came twice")
    }
}
