import Clocks

/// A thread that drives libcurl's transfers and runs tasks between them.
///
/// As a task executor, it saves its tasks both thread hops of an exchange. If the response arrives within a
/// millisecond, it does not suspend them, unless they hold an actor or another of its tasks could run meanwhile. The
/// thread ends with the instance; tasks that prefer the loop keep it alive.
public final class ClientLoop: TaskExecutor {
    let core: LoopCore

    /// Starts a loop; throws if the system provides no thread or libcurl cannot be initialised.
    ///
    /// `connectionsPerHost` is the largest number of connections to one host; further exchanges wait for one.
    public convenience init(connectionsPerHost: Int = 6) throws(TransportError) {
        try self.init(LoopCore(connectionsPerHost: max(1, connectionsPerHost)))
    }

    /// Starts the loop of a core; throws if that is `nil`.
    init(_ core: LoopCore?) throws(TransportError) {
        guard let core else { throw TransportError(.unknown, "libcurl cannot be initialised.") }
        self.core = core
        guard core.start(executor: asUnownedTaskExecutor()) else {
            throw TransportError(.unknown, "The client's thread cannot be started.")
        }
    }

    /// Creates a loop without a thread, which is driven by the threads that wait for it, one at a time.
    ///
    /// It runs nothing by itself: a task that prefers it only continues during `work()` or `wait(for:)`.
    package init(drivenWith connectionsPerHost: Int) throws(TransportError) {
        guard let core = LoopCore(connectionsPerHost: max(1, connectionsPerHost)) else {
            throw TransportError(.unknown, "libcurl cannot be initialised.")
        }
        self.core = core
        core.prepare(executor: asUnownedTaskExecutor())
    }

    deinit { core.post(.stop) }

    /// Does everything that is possible without waiting; for a loop without a thread.
    package func work() { core.drive() }

    /// Waits until there is something to do, `wake()` is called or `duration` has passed, and then does everything
    /// that is possible; for a loop without a thread.
    package func wait(for duration: Duration) {
        core.drive(afterWaiting: Int(min(max(0, (duration.seconds * 1000).rounded(.up)), 0x1p62)))
    }

    /// Ends `wait(for:)`, or the next one; may be called from any thread.
    package func wake() { core.ring() }

    /// Cancels every exchange; for a loop without a thread that is no longer driven.
    package func close() { core.breakOff() }

    /// Starts a thread for the tasks that still prefer a loop that is no longer driven; returns false if that fails.
    package func startThread() -> Bool { core.start(executor: asUnownedTaskExecutor()) }

    /// Queues a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        core.post(.job(UnownedJob(job)))
    }

    /// Calls `observer` on the loop's thread each time it is about to wait with no job and no command queued.
    package func onIdle(_ observer: @escaping @Sendable () -> Void) {
        core.observeIdle(observer)
    }

    /// Returns a summary of the loop's current work.
    package func activity() -> LoopActivity { core.activity() }
}

/// The activity of a client loop, which shows when nothing can happen by itself.
package struct LoopActivity: Sendable {
    /// An exchange that has a connection or is opening one.
    package struct InFlight: Sendable {
        /// The client's port of the connection; 0 while it is being opened.
        package let localPort: UInt16
        /// Whether the loop will find something to do: unread bytes whose reader has not paused the exchange, or a
        /// connection that is being opened.
        package let hasUnreadInput: Bool
        /// Whether its reader has paused it, so that nothing happens to it by itself.
        package let isPaused: Bool
    }
    /// Whether the loop waits, or is about to wait, with nothing queued; queuing anything makes it false at once.
    package let isBlocked: Bool
    /// The exchanges that have a connection or are opening one; those that wait for a free one are not listed.
    package let inFlight: [InFlight]
}
