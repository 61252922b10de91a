#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread of the operating system that can be waited for.
struct ServerThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread that runs `body`; throws when the system has none left.
    init(_ body: @escaping @Sendable () -> Void) throws(ServerError) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run: body))
        guard pthread_create(&thread, nil, serverThreadMain, context.toOpaque()) == 0 else {
            context.release()
            throw .system(call: "pthread_create", reason: "no thread left")
        }
        self.thread = thread
    }

    /// Waits for the thread's end.
    func join() {
        pthread_join(thread, nil)
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private func serverThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ServerThread.Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
