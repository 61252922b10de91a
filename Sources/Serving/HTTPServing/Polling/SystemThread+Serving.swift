import Threads

extension SystemThread {
    /// Starts a thread that runs `body`; throws if the system has none left.
    static func serving(_ body: @escaping @Sendable () -> Void) throws(ServerError) -> SystemThread {
        guard let thread = start(body) else {
            throw .system(call: "pthread_create", reason: "no more threads available")
        }
        return thread
    }
}
