import Ccurl
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The thread of a client loop and what it works on: executor jobs, libcurl's transfers.
final class LoopCore: @unchecked Sendable {
    // Reason: `shared` is behind its lock, `thread` is set before anybody else has this object; everything else is
    // touched on the loop's thread only, after `start`.
    enum Command {
        case job(UnownedJob)
        case start(CurlExchange)
        case resumeReceiving(CurlExchange)
        case resumeSending(CurlExchange)
        case cancel(CurlExchange)
        case stop
    }
    private struct Shared {
        var commands: [Command] = []
        /// Inside `poll`, so that a command has to wake it.
        var isPolling = false
        /// About to wait, or waiting, with nothing to do.
        var isBlocked = false
        var connections = ConnectionTable()
        var idleObservers: [@Sendable () -> Void] = []
    }
    private let shared = Lock(Shared())
    let multi: MultiHandle
    private var executor: UnownedTaskExecutor?
    private var thread = pthread_t()
    /// Commands that the thread gives itself.
    @exclusivity(unchecked) private var ownCommands: [Command] = []
    /// Whether there are others to execute after this one.
    @exclusivity(unchecked) private var hasMoreCommands = false
    /// Whether other threads had given commands when that was last looked at.
    @exclusivity(unchecked) private var hasCommandsOfOthers = false
    @exclusivity(unchecked) var pool = HandlePool()
    /// Handles whose exchanges have something to hand on.
    @exclusivity(unchecked) var handlesWithNews: [EasyHandle] = []
    @exclusivity(unchecked) var handlesTold: [EasyHandle] = []
    @exclusivity(unchecked) var queues: HostQueues
    /// Whether receivers are being told: what they begin is delivered afterwards.
    @exclusivity(unchecked) var isDelivering = false
    @exclusivity(unchecked) private var isStopping = false

    init?(connectionsPerHost: Int) {
        guard let multi = MultiHandle() else { return nil }
        self.multi = multi
        queues = HostQueues(limit: connectionsPerHost)
    }

    deinit {
        // libcurl tells this object of every socket it closes, so that it must go before `shared` does.
        multi.close()
    }

    /// Starts the thread, which lives until the command `stop`.
    func start(executor: UnownedTaskExecutor) -> Bool {
        self.executor = executor
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, loopMain, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    // MARK: From any thread

    /// Queues a command, and wakes the loop if it waits.
    func post(_ command: Command) {
        // What the thread tells itself it finds before it waits.
        if isHere { return ownCommands.append(command) }
        let wakes = shared.withLock { shared in
            shared.commands.append(command)
            shared.isBlocked = false
            defer { shared.isPolling = false }
            return shared.isPolling
        }
        if wakes { multi.wakeUp() }
    }

    /// Whether this is the loop's own thread.
    private var isHere: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Begins an exchange; on the loop's own thread at once, so that its request is on its way while the caller goes on.
    ///
    /// A server may be so quick that its answer has come by then, too, and is told, unless there is somebody whom a task
    /// that never waits would keep waiting.
    func start(_ exchange: CurlExchange) {
        guard isHere, !multi.isInside else { return post(.start(exchange)) }
        enter(exchange)
        multi.performDue()
        if !isDelivering, isFree, pool.activeCount < 2 { endTransfers() }
    }

    /// Whether there is nothing to do but what is being done.
    private var isFree: Bool { !hasMoreCommands && ownCommands.isEmpty && !hasCommandsOfOthers }

    /// Waits a moment for what comes next, in place of the task that would otherwise wait; false where that is
    /// not this thread's, nothing has come, or there is something else to do.
    func workInPlace() -> Bool {
        guard isHere, isFree, !multi.isInside, !isDelivering else { return false }
        multi.performDue()
        deliver()
        return wait(atMost: Self.momentInMilliseconds, isInPlace: true) && ownCommands.isEmpty
    }

    /// So long somebody may be kept from their cancellation.
    private static let momentInMilliseconds = 1

    func observeIdle(_ observer: @escaping @Sendable () -> Void) {
        shared.withLock { $0.idleObservers.append(observer) }
    }

    func activity() -> LoopActivity {
        // The sockets are looked at inside the lock, without waiting: outside, one could be closed and its number reused.
        shared.withLock { shared in
            LoopActivity(isBlocked: shared.isBlocked, inFlight: shared.connections.inFlight())
        }
    }

    // MARK: The loop

    /// Changes what is known of connections.
    func note(_ change: (inout ConnectionTable) -> Void) {
        shared.withLock { shared in
            change(&shared.connections)
            hasCommandsOfOthers = !shared.commands.isEmpty
        }
    }

    fileprivate func run() {
        ignoreBrokenPipes()
        var commands: [Command] = []
        while !isStopping {
            // What jobs queue is done before the network is looked at, so a request goes out in the same round.
            while takeCommands(&commands) { execute(commands) }
            multi.performDue()
            deliver()
            // Nobody wakes a loop up that has been told to stop.
            if !isStopping { _ = wait(atMost: 60_000) }
        }
        end()
    }

    private func takeCommands(_ commands: inout [Command]) -> Bool {
        commands.removeAll(keepingCapacity: true)
        swap(&ownCommands, &commands)
        hasCommandsOfOthers = false
        shared.withLock { shared in
            guard !shared.commands.isEmpty else { return }
            commands += shared.commands
            shared.commands.removeAll(keepingCapacity: true)
        }
        return !commands.isEmpty
    }

    private func execute(_ commands: [Command]) {
        for index in commands.indices {
            hasMoreCommands = index + 1 < commands.count
            execute(commands[index])
        }
    }

    private func execute(_ command: Command) {
        switch command {
        case .job(let job):
            guard let executor else { return }
            job.runSynchronously(on: executor)
        case .start(let exchange): enter(exchange)
        case .resumeReceiving(let exchange): exchange.resumeReceiving()
        case .resumeSending(let exchange): exchange.resumeSending()
        case .cancel(let exchange): finish(exchange, nil)
        case .stop: isStopping = true
        }
    }

    /// Waits for sockets and commands, and does what the sockets are ready for; returns whether any was.
    private func wait(atMost milliseconds: Int, isInPlace: Bool = false) -> Bool {
        takeOutEnded()
        // A timer of libcurl's that is due means that there is something to do: a transfer that waited for a connection.
        let due = multi.dueIn
        if due == 0 { return true }
        let isQuiet = due.map { $0 > 1 } ?? true
        guard isInPlace ? beginToWaitInPlace() : beginToWait(isQuiet: isQuiet) else { return false }
        let found = multi.poll(milliseconds: Int32(min(due ?? milliseconds, milliseconds)))
        endWaiting()
        guard found else { return false }
        multi.performReady()
        deliver()
        return true
    }

    /// False where there is a command after all.
    private func beginToWait(isQuiet: Bool) -> Bool {
        guard ownCommands.isEmpty else { return false }
        let observers = shared.withLock { shared -> [@Sendable () -> Void]? in
            guard shared.commands.isEmpty else { return nil }
            shared.isPolling = true
            shared.isBlocked = isQuiet
            return isQuiet ? shared.idleObservers : []
        }
        guard let observers else { return false }
        for observer in observers { observer() }
        if !ownCommands.isEmpty { endWaiting() }
        return ownCommands.isEmpty
    }

    /// As `beginToWait`; false, too, where somebody is told of idleness, to whom a task that goes on looks like work.
    private func beginToWaitInPlace() -> Bool {
        shared.withLock { shared in
            guard shared.commands.isEmpty, shared.idleObservers.isEmpty else { return false }
            shared.isPolling = true
            return true
        }
    }

    private func endWaiting() {
        shared.withLock { shared in
            shared.isPolling = false
            shared.isBlocked = false
        }
    }

    /// Breaks off what is left, then runs what that woke.
    private func end() {
        var commands: [Command] = []
        repeat {
            // Each end lets an exchange begin that has waited for it.
            while let exchange = pool.anyActive?.exchange { finish(exchange, nil) }
            while takeCommands(&commands) { execute(commands) }
        } while pool.anyActive != nil
        takeOutEnded()
        pool.removeSpare()
    }

    private func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

private func loopMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LoopCore>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
