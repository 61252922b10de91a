import Clocks

/// A thread that drives libcurl's transfers and runs tasks between them.
///
/// Used as a task executor it spares its tasks both thread hops of an exchange, and where the answer comes within a
/// millisecond it does not suspend them, unless they hold an actor or another of its tasks could run meanwhile. The
/// thread ends with the instance; tasks that prefer the loop keep it alive.
public final class ClientLoop: TaskExecutor {
    let core: LoopCore

    /// Starts a loop; throws when the system gives no thread or libcurl cannot be initialised.
    ///
    /// `connectionsPerHost` is the number of connections to one host at most; further exchanges wait for one.
    public init(connectionsPerHost: Int = 6) throws(TransportError) {
        guard let core = LoopCore(connectionsPerHost: max(1, connectionsPerHost)) else {
            throw TransportError(.unknown, "libcurl cannot be initialised.")
        }
        self.core = core
        guard core.start(executor: asUnownedTaskExecutor()) else {
            throw TransportError(.unknown, "The client's thread cannot be started.")
        }
    }

    /// Creates a loop without a thread, which whoever waits for it drives, one thread at a time.
    ///
    /// It runs nothing by itself: a task that prefers it goes on while somebody is in `work()` or `wait(for:)`.
    package init(drivenWith connectionsPerHost: Int) throws(TransportError) {
        guard let core = LoopCore(connectionsPerHost: max(1, connectionsPerHost)) else {
            throw TransportError(.unknown, "libcurl cannot be initialised.")
        }
        self.core = core
        core.prepare(executor: asUnownedTaskExecutor())
    }

    deinit { core.post(.stop) }

    /// Does all that can be done without waiting; of a loop without a thread.
    package func work() { core.drive() }

    /// Waits until there is something to do, `wake()` is called or so long has passed, and does what can be done then; of
    /// a loop without a thread.
    package func wait(for duration: Duration) {
        core.drive(afterWaiting: max(0, Int(clamping: Int64((duration.seconds * 1000).rounded(.up)))))
    }

    /// Ends `wait(for:)`, or the next one; from any thread.
    package func wake() { core.ring() }

    /// Breaks off every exchange; of a loop without a thread, which nobody drives any more.
    package func close() { core.breakOff() }

    /// Gives a loop that nobody drives any more a thread for the tasks that still prefer it; false where there is none.
    package func startThread() -> Bool { core.start(executor: asUnownedTaskExecutor()) }

    /// Queues a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        core.post(.job(UnownedJob(job)))
    }

    /// Calls `observer` on the loop's thread each time it is about to wait with no job and no command queued.
    public func onIdle(_ observer: @escaping @Sendable () -> Void) {
        core.observeIdle(observer)
    }

    /// What the loop is doing at this moment.
    public func activity() -> LoopActivity { core.activity() }
}

/// What a client loop is doing, for those who must know when nothing can happen by itself.
public struct LoopActivity: Sendable {
    /// An exchange that has a connection or is getting one.
    public struct InFlight: Sendable {
        /// The client's port of the connection; 0 while it is being opened.
        public let localPort: UInt16
        /// Whether the loop will find something to do: bytes that it has not read and whose reader has not paused it,
        /// or a connection that is being opened.
        public let hasUnreadInput: Bool
        /// Whether its reader wants nothing for the time being, so that nothing of it happens by itself.
        public let isPaused: Bool
    }
    /// Whether the loop waits, or is about to, with nothing queued; queuing anything makes it false at once.
    public let isBlocked: Bool
    /// Exchanges that have a connection or are getting one; those that wait for a free one are not listed.
    public let inFlight: [InFlight]
}
