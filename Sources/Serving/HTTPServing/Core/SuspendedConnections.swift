import Cmicrohttpd
import Locks

/// The connections that are suspended in libmicrohttpd; all are resumed before it is stopped, or it would abort.
final class SuspendedConnections: Sendable {
    private struct State {
        var pauses: [UInt64: ReadingPause] = [:]
        var count: UInt64 = 0
        var isFinished = false
    }
    private let state = Lock(State())

    /// Suspends a connection and stores the pause that `make` returns; `nil` if the server is being stopped.
    func suspend(_ handle: OpaquePointer, _ make: (UInt64) -> ReadingPause) -> ReadingPause? {
        state.withLock { state in
            if state.isFinished { return nil }
            state.count += 1
            let pause = make(state.count)
            state.pauses[pause.number] = pause
            // Under the lock, so that `end()` finds every paused connection suspended.
            MHD_suspend_connection(handle)
            return pause
        }
    }

    func forget(_ pause: ReadingPause) {
        state.withLock { $0.pauses[pause.number] = nil }
    }

    /// Ends all pauses and prevents new ones.
    func end() {
        let pauses = state.withLock { state in
            state.isFinished = true
            return Array(state.pauses.values)
        }
        for pause in pauses { pause.resume() }
    }
}
