import Locks

/// Whether a server is started, so that a second start does not open another listener.
struct StartState: Sendable {
    private let isStarted = Lock(false)

    /// Runs `start`; throws `alreadyStarted` after a start that has succeeded, and while another runs.
    func begin(_ start: () throws(ServerError) -> Void) throws(ServerError) {
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return isStarted
        }
        if wasStarted { throw .alreadyStarted }
        do throws(ServerError) {
            try start()
        } catch {
            end()
            throw error
        }
    }

    /// Permits another start.
    func end() { isStarted.withLock { $0 = false } }
}
