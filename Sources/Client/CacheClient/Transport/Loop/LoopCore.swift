import Ccurl
import CLibrary
import Locks
import Synchronization
import Threads

/// The core of a client loop: its thread, which runs executor jobs and libcurl's transfers.
final class LoopCore: @unchecked Sendable {
    // Reason: `shared` is behind its lock; everything else is accessed on the loop's thread only, after `start`, and
    // so needs no check for overlapping accesses either.
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
        /// Whether the loop is inside `poll`, so that a command must wake it.
        var isPolling = false
        /// Whether the loop waits, or is about to wait, with nothing to do.
        var isBlocked = false
        /// Whether the end of the wait, or of the next one, was requested.
        var isSignalled = false
        var connections = ConnectionTable()
        var idleObservers: [@Sendable () -> Void] = []
    }
    let shared = Lock(Shared())
    /// The thread that drives it; 0 before the first.
    private let thread = Atomic<UInt>(0)
    let multi: MultiHandle
    let sessions: SharedSessions
    private var executor: UnownedTaskExecutor?
    /// Whether an easy handle of libcurl carries several transfers, one after another.
    let reusesHandles: Bool
    @exclusivity(unchecked) var pool: HandlePool
    /// Handles whose exchanges have something to pass on.
    @exclusivity(unchecked) var handlesWithNews: [EasyHandle] = []
    @exclusivity(unchecked) var handlesReported: [EasyHandle] = []
    /// The commands of the previous round, kept for their memory.
    @exclusivity(unchecked) private var round: [Command] = []
    @exclusivity(unchecked) var queues: HostQueues
    /// Whether other commands follow the current one.
    @exclusivity(unchecked) var hasMoreCommands = false
    /// Whether receivers are being called: what they start is delivered afterwards.
    @exclusivity(unchecked) var isDelivering = false
    /// Whether it has its own thread, so that no caller's thread has to be kept free.
    @exclusivity(unchecked) private(set) var hasThread = false
    @exclusivity(unchecked) private var isStopping = false

    init?(connectionsPerHost: Int, reusesHandles: Bool = CurlVersion.reusesHandles) {
        guard let multi = MultiHandle(), let sessions = SharedSessions() else { return nil }
        self.multi = multi
        self.sessions = sessions
        self.reusesHandles = reusesHandles
        pool = HandlePool(reusesHandles: reusesHandles)
        queues = HostQueues(limit: connectionsPerHost)
    }

    deinit {
        // libcurl calls this object for every socket that it closes, so it must be closed before `shared` is released.
        multi.close()
    }

    /// Starts the thread, which runs until the command `stop`.
    func start(executor: UnownedTaskExecutor) -> Bool {
        self.executor = executor
        guard let thread = SystemThread.start({ self.run() }) else { return false }
        thread.detach()
        return true
    }

    /// Prepares to run the jobs of tasks that prefer `executor` on the threads that drive the loop.
    func prepare(executor: UnownedTaskExecutor) {
        self.executor = executor
        // The first exchange finds a handle ready.
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
            shared.isSignalled = true
            defer { shared.isPolling = false }
            return shared.isPolling
        }
        if wakes { multi.wakeUp() }
    }

    func observeIdle(_ observer: @escaping @Sendable () -> Void) {
        shared.withLock { $0.idleObservers.append(observer) }
    }

    func activity() -> LoopActivity {
        // The sockets are checked inside the lock, without waiting: outside, one could be closed and its number
        // reused.
        shared.withLock { shared in
            LoopActivity(isBlocked: shared.isBlocked, inFlight: shared.connections.inFlight())
        }
    }

    // MARK: Driven by a caller's thread

    /// Does everything that is possible without waiting.
    func drive() {
        adoptThread()
        repeat {
            work()
            removeFinished()
        } while !rests()
    }

    /// Waits until there is something to do, `ring()` is called or the time has passed, and then does everything
    /// possible.
    func drive(afterWaiting milliseconds: Int) {
        adoptThread()
        wait(milliseconds: milliseconds)
        drive()
    }

    /// Cancels what is left, and runs what that wakes.
    func breakOff() {
        adoptThread()
        end()
    }

    /// Returns whether there is nothing to do, and records that for `activity`.
    private func rests() -> Bool {
        let due = multi.dueIn
        if due == 0 { return false }
        return shared.withLock { shared in
            guard shared.commands.isEmpty else { return false }
            shared.isBlocked = Self.isQuiet(due)
            return true
        }
    }

    /// Makes the current thread the loop's; one that `isNew` may have the number of a thread that has ended.
    private func adoptThread(isNew: Bool = false) {
        if isOnLoopThread, !isNew { return }
        thread.store(Self.currentThread, ordering: .relaxed)
        ignoreBrokenPipes()
    }

    /// Whether this is the thread that drives the loop: no other ever stores its number.
    var isOnLoopThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

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
            // A stopped loop is no longer woken.
            if !isStopping { wait(milliseconds: 60_000) }
        }
        end()
    }

    private func work() {
        runCommands()
        multi.performDue()
        deliver()
    }

    /// Runs commands, including those that jobs queue, before the network is checked, so a request is sent in the same
    /// round.
    private func runCommands() {
        var commands: [Command] = []
        swap(&commands, &round)
        while takeCommands(&commands) {
            for index in commands.indices {
                hasMoreCommands = index + 1 < commands.count
                execute(commands[index])
            }
            // Jobs that keep queuing others must not delay requests.
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

    /// Returns whether libcurl has nothing to do soon.
    private static func isQuiet(_ due: Int?) -> Bool { due.map { $0 > 1 } ?? true }

    private func wait(milliseconds: Int) {
        removeFinished()
        // A due timer of libcurl means that there is something to do: a transfer that waited for a connection.
        let due = multi.dueIn
        if due == 0 { return }
        let isQuiet = Self.isQuiet(due)
        let observers = shared.withLock { shared -> [@Sendable () -> Void]? in
            defer { shared.isSignalled = false }
            guard shared.commands.isEmpty, !shared.isSignalled else { return nil }
            shared.isPolling = true
            shared.isBlocked = isQuiet
            return isQuiet ? shared.idleObservers : []
        }
        guard let observers else { return }
        for observer in observers { observer() }
        _ = poll(atMost: milliseconds, due)
    }

    /// Waits for sockets and commands, and processes the sockets that are ready; returns whether anything arrived.
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

    /// Cancels what is left, then runs what that woke.
    private func end() {
        repeat {
            // Each end lets a waiting exchange start.
            while let exchange = pool.anyActive?.exchange { finish(exchange, nil) }
            runCommands()
        } while pool.anyActive != nil
        removeFinished()
        pool.removeSpare()
    }

    private func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
