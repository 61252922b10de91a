/// A thread that drives libcurl's transfers and runs tasks between them.
///
/// Used as a task executor it spares its tasks both thread hops of an exchange. The thread ends with the instance;
/// tasks that prefer the loop keep it alive.
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

    deinit { core.post(.stop) }

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
