import Ccurl
import Locks
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The thread of a client loop and what it works on: executor jobs, libcurl's transfers.
final class LoopCore: @unchecked Sendable {
    // Reason: `shared` is behind its lock; everything else is touched on the loop's thread only, after `start`, and so
    // needs no check for overlapping accesses either.
    enum Command {
        case job(UnownedJob)
        case start(CurlExchange)
        case resumeReceiving(CurlExchange)
        case resumeSending(CurlExchange)
        case cancel(CurlExchange)
        case stop
    }
    struct Shared {
        var commands: [Command] = []
        /// Inside `poll`, so that a command has to wake it.
        var isPolling = false
        /// About to wait, or waiting, with nothing to do.
        var isBlocked = false
        /// Somebody has asked for the end of the wait, or of the next one.
        var isRung = false
        var connections = ConnectionTable()
        var idleObservers: [@Sendable () -> Void] = []
    }
    let shared = Lock(Shared())
    /// The thread that drives it; 0 before the first.
    private let thread = Atomic<UInt>(0)
    let multi: MultiHandle
    let sessions: SharedSessions
    private var executor: UnownedTaskExecutor?
    @exclusivity(unchecked) var pool = HandlePool()
    /// Handles whose exchanges have something to hand on.
    @exclusivity(unchecked) var handlesWithNews: [EasyHandle] = []
    @exclusivity(unchecked) var handlesTold: [EasyHandle] = []
    /// The commands of the round before, for their memory.
    @exclusivity(unchecked) private var round: [Command] = []
    @exclusivity(unchecked) var queues: HostQueues
    /// Whether there are other commands to execute after the present one.
    @exclusivity(unchecked) var hasMoreCommands = false
    /// Whether receivers are being told: what they begin is delivered afterwards.
    @exclusivity(unchecked) var isDelivering = false
    /// Whether it has a thread of its own, and nobody's has to be kept free.
    @exclusivity(unchecked) private(set) var hasThread = false
    @exclusivity(unchecked) private var isStopping = false

    init?(connectionsPerHost: Int) {
        guard let multi = MultiHandle(), let sessions = SharedSessions() else { return nil }
        self.multi = multi
        self.sessions = sessions
        queues = HostQueues(limit: connectionsPerHost)
    }

    deinit {
        // libcurl tells this object of every socket it closes, so that it must go before `shared` does.
        multi.close()
    }

    /// Starts the thread, which lives until the command `stop`.
    func start(executor: UnownedTaskExecutor) -> Bool {
        self.executor = executor
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, loopMain, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Has whoever drives it run the jobs of tasks that prefer `executor`, without a thread.
    func prepare(executor: UnownedTaskExecutor) {
        self.executor = executor
        // The first exchange finds a handle.
        if let easy = pool.take({ EasyHandle(core: self, number: $0) }) { pool.keep(easy) }
    }

    // MARK: From any thread

    /// Queues a command, and wakes the loop if it waits.
    func post(_ command: Command) {
        let wakes = shared.withLock { shared in
            shared.commands.append(command)
            shared.isBlocked = false
            defer { shared.isPolling = false }
            return shared.isPolling
        }
        if wakes { multi.wakeUp() }
    }

    /// Ends the wait, or the next one.
    func ring() {
        let wakes = shared.withLock { shared in
            shared.isRung = true
            defer { shared.isPolling = false }
            return shared.isPolling
        }
        if wakes { multi.wakeUp() }
    }

    func observeIdle(_ observer: @escaping @Sendable () -> Void) {
        shared.withLock { $0.idleObservers.append(observer) }
    }

    func activity() -> LoopActivity {
        // The sockets are looked at inside the lock, without waiting: outside, one could be closed and its number reused.
        shared.withLock { shared in
            LoopActivity(isBlocked: shared.isBlocked, inFlight: shared.connections.inFlight())
        }
    }

    // MARK: Driven by somebody's thread

    /// Does all that can be done without waiting.
    func drive() {
        adoptThread()
        repeat {
            work()
            takeOutEnded()
        } while !rests()
    }

    /// Waits until there is something to do, somebody rings or so long has passed, and does what can be done then.
    func drive(afterWaiting milliseconds: Int) {
        adoptThread()
        wait(milliseconds: milliseconds)
        drive()
    }

    /// Breaks off what is left, and runs what that wakes.
    func breakOff() {
        adoptThread()
        end()
    }

    /// Whether there is nothing to do, which `activity` tells from now on.
    private func rests() -> Bool {
        let due = multi.dueIn
        if due == 0 { return false }
        return shared.withLock { shared in
            guard shared.commands.isEmpty else { return false }
            shared.isBlocked = Self.isQuiet(due)
            return true
        }
    }

    /// A thread that `isNew` may have the number of one that has ended.
    private func adoptThread(isNew: Bool = false) {
        if isHere, !isNew { return }
        thread.store(Self.currentThread, ordering: .relaxed)
        ignoreBrokenPipes()
    }

    /// Whether this is the thread that drives it: no other ever stores its number.
    var isHere: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    private static var currentThread: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    // MARK: The loop

    fileprivate func run() {
        adoptThread(isNew: true)
        hasThread = true
        while !isStopping {
            work()
            // Nobody wakes a loop up that has been told to stop.
            if !isStopping { wait(milliseconds: 60_000) }
        }
        end()
    }

    private func work() {
        runCommands()
        multi.performDue()
        deliver()
    }

    /// What jobs queue is done before the network is looked at, so a request goes out in the same round.
    private func runCommands() {
        var commands: [Command] = []
        swap(&commands, &round)
        while takeCommands(&commands) {
            for index in commands.indices {
                hasMoreCommands = index + 1 < commands.count
                execute(commands[index])
            }
            // Jobs that queue others without end must not keep requests back.
            multi.performDue()
        }
        swap(&commands, &round)
    }

    private func takeCommands(_ commands: inout [Command]) -> Bool {
        commands.removeAll(keepingCapacity: true)
        shared.withLock { swap(&$0.commands, &commands) }
        return !commands.isEmpty
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

    /// Whether libcurl has nothing to do soon.
    private static func isQuiet(_ due: Int?) -> Bool { due.map { $0 > 1 } ?? true }

    private func wait(milliseconds: Int) {
        takeOutEnded()
        // A timer of libcurl's that is due means that there is something to do: a transfer that waited for a connection.
        let due = multi.dueIn
        if due == 0 { return }
        let isQuiet = Self.isQuiet(due)
        let observers = shared.withLock { shared -> [@Sendable () -> Void]? in
            defer { shared.isRung = false }
            guard shared.commands.isEmpty, !shared.isRung else { return nil }
            shared.isPolling = true
            shared.isBlocked = isQuiet
            return isQuiet ? shared.idleObservers : []
        }
        guard let observers else { return }
        for observer in observers { observer() }
        _ = poll(atMost: milliseconds, due)
    }

    /// Waits for sockets and commands, and does what the sockets are ready for; returns whether anything came.
    func poll(atMost milliseconds: Int, _ due: Int?, isEager: Bool = false) -> Bool {
        let milliseconds = Int32(clamping: min(due ?? milliseconds, milliseconds))
        let isFound = multi.poll(milliseconds: milliseconds, isEager: isEager)
        shared.withLock { shared in
            shared.isPolling = false
            shared.isBlocked = false
        }
        guard isFound else { return false }
        multi.performReady()
        deliver()
        return true
    }

    /// Breaks off what is left, then runs what that woke.
    private func end() {
        repeat {
            // Each end lets an exchange begin that has waited for it.
            while let exchange = pool.anyActive?.exchange { finish(exchange, nil) }
            runCommands()
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
