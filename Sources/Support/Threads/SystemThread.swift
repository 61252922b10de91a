import CLibrary

/// A thread of the operating system, for work that blocks; the threads of Swift's executor must never block.
///
/// Either `join()` or `detach()` has to be called, once.
public struct SystemThread: Sendable {
    /// `nil` if the closure has run on the calling thread.
    private let thread: pthread_t?

    private init(_ thread: pthread_t) { self.thread = thread }

    /// Starts a thread that runs `body`; if the system has none left, runs `body` before returning.
    public init(_ body: @escaping @Sendable () -> Void) {
        if let started = Self.start(body) {
            self = started
        } else {
            thread = nil
            body()
        }
    }

    /// Starts a thread that runs `body`; returns `nil` if the system has none left.
    public static func start(_ body: @escaping @Sendable () -> Void) -> SystemThread? {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run: body))
        guard pthread_create(&thread, nil, runBody, context.toOpaque()) == 0 else {
            context.release()
            return nil
        }
        return SystemThread(thread)
    }

    /// Runs `body` on `count` threads, at least one, and waits for all of them.
    public static func concurrently(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let threads = (0..<max(1, count)).map { _ in SystemThread(body) }
        for thread in threads { thread.join() }
    }

    /// Waits until the closure has returned.
    public func join() {
        if let thread { pthread_join(thread, nil) }
    }

    /// Lets the thread end by itself.
    public func detach() {
        if let thread { pthread_detach(thread) }
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SystemThread.Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
