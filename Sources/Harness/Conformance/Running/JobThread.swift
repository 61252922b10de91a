#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that runs one closure; scenarios block it, which the threads of Swift's executor must never be.
final class JobThread: Sendable {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
    /// `nil` where the system had no thread to give.
    private let thread: pthread_t?

    /// Starts the thread; where the system has none to give, `run` is called at once instead.
    init(_ run: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        if pthread_create(&thread, nil, JobThread.main, work.toOpaque()) == 0 {
            self.thread = thread
        } else {
            self.thread = nil
            work.takeRetainedValue().run()
        }
    }

    /// Waits until the closure has returned; to be called once.
    func join() {
        if let thread { pthread_join(thread, nil) }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
