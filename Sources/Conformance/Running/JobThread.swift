#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that runs one closure; scenarios block it, which the threads of Swift's executor must never be.
final class JobThread {
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
    private var thread = pthread_t()
    private let isRunning: Bool

    /// Starts the thread; where the system has none to give, `run` is called at once instead.
    init(_ run: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(run))
        isRunning = pthread_create(&thread, nil, JobThread.main, work.toOpaque()) == 0
        if !isRunning { work.takeRetainedValue().run() }
    }

    /// Waits until the closure has returned; to be called once.
    func join() {
        if isRunning { pthread_join(thread, nil) }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
