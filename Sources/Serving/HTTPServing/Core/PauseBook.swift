import Cmicrohttpd
import Locks

/// The connections that libmicrohttpd has suspended, so that none is when it is stopped, which would end the process.
final class PauseBook: Sendable {
    private struct State {
        var pauses: [UInt64: ReadingPause] = [:]
        var count: UInt64 = 0
        var isOver = false
    }
    private let state = Lock(State())

    /// Suspends a connection and keeps what `make` makes; `nil` when the server is being stopped.
    func suspend(_ handle: OpaquePointer, _ make: (UInt64) -> ReadingPause) -> ReadingPause? {
        state.withLock { state in
            if state.isOver { return nil }
            state.count += 1
            let pause = make(state.count)
            state.pauses[pause.number] = pause
            // Under the lock, so that whoever ends all pauses finds each connection suspended.
            MHD_suspend_connection(handle)
            return pause
        }
    }

    func forget(_ pause: ReadingPause) {
        state.withLock { $0.pauses[pause.number] = nil }
    }

    /// Ends every pause; there will be no other.
    func end() {
        let pauses = state.withLock { state in
            state.isOver = true
            return Array(state.pauses.values)
        }
        for pause in pauses { pause.resume() }
    }
}
