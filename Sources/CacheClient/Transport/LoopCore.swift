import Ccurl
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The thread of a client loop and what it works on: executor jobs, libcurl's transfers.
final class LoopCore: @unchecked Sendable {
    // Reason: `shared` is behind its lock; everything else is touched on the loop's thread only, after `start`.
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
        /// Somebody has asked for the end of the wait, or of the next one.
        var isRung = false
        var thread: pthread_t?
        var connections = ConnectionTable()
        var idleObservers: [@Sendable () -> Void] = []
    }
    private let shared = Lock(Shared())
    private let multi: MultiHandle
    private var executor: UnownedTaskExecutor?
    private var spareHandles: [EasyHandle] = []
    private var activeHandles: [EasyHandle] = []
    /// Handles of transfers that have ended, still to be taken out: there is time for that while others are waited for.
    private var endedHandles: [EasyHandle] = []
    private var exchangesWithNews: [CurlExchange] = []
    private var exchangesTold: [CurlExchange] = []
    /// The commands of the round before, for their memory.
    private var round: [Command] = []
    private var queues: HostQueues
    private var isStopping = false

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
        if let easy = EasyHandle(core: self) { spareHandles.append(easy) }
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

    /// Begins an exchange; on the loop's own thread at once, so that its request is on its way while the caller goes on.
    func start(_ exchange: CurlExchange) {
        let isHere = shared.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        guard isHere, !multi.isInside else { return post(.start(exchange)) }
        enter(exchange)
        multi.performDue()
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

    // MARK: From the exchanges, on the loop's thread

    func hasNews(_ exchange: CurlExchange) { exchangesWithNews.append(exchange) }

    func opened(_ descriptor: Int32, for exchange: CurlExchange) {
        multi.opened(descriptor)
        shared.withLock { $0.connections.opened(descriptor, for: ObjectIdentifier(exchange)) }
        guard exchange.isSecure else { return }
        // While the handshake waits for the server's bytes alone, nothing happens by itself.
        multi.follow(descriptor) { [weak self] waitsForInput in
            self?.shared.withLock { $0.connections.handshakes(descriptor, waitsForInput: waitsForInput) }
        }
    }

    func closes(_ descriptor: Int32) {
        multi.closes(descriptor)
        shared.withLock { shared in
            shared.connections.closed(descriptor)
            close(descriptor)
        }
    }

    func sends(_ exchange: CurlExchange, from port: UInt16) {
        shared.withLock { $0.connections.sends(ObjectIdentifier(exchange), from: port) }
    }

    func setPaused(_ exchange: CurlExchange, _ isPaused: Bool) {
        shared.withLock { $0.connections.setPaused(ObjectIdentifier(exchange), isPaused) }
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

    private func adoptThread() {
        let isKnown = shared.withLock { shared in
            defer { shared.thread = pthread_self() }
            return shared.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        }
        if !isKnown { ignoreBrokenPipes() }
    }

    // MARK: The loop

    fileprivate func run() {
        adoptThread()
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
        while takeCommands(&commands) { commands.forEach(execute) }
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

    private func enter(_ exchange: CurlExchange) {
        if queues.enter(exchange) { begin(exchange) }
    }

    private func begin(_ exchange: CurlExchange) {
        guard let easy = spareHandles.popLast() ?? EasyHandle(core: self) else {
            return exchange.end(CURLE_OUT_OF_MEMORY)
        }
        exchange.easy = easy
        easy.exchange = exchange
        easy.prepare(exchange.request, upload: exchange.upload, trust: exchange.trust)
        easy.place = activeHandles.count
        activeHandles.append(easy)
        if !multi.add(easy) { finish(exchange, CURLE_OUT_OF_MEMORY) }
    }

    /// Tells the receivers what has arrived: of a transfer that has ended all that is left, at once.
    private func deliver() {
        endTransfers()
        guard !exchangesWithNews.isEmpty else { return }
        // Whoever is told may begin an exchange, of which there may be news at once.
        swap(&exchangesWithNews, &exchangesTold)
        for exchange in exchangesTold { exchange.flush() }
        exchangesTold.removeAll(keepingCapacity: true)
    }

    private func endTransfers() {
        while let (easy, code) = multi.nextDone() {
            guard let exchange = easy.exchange else { continue }
            finish(exchange, code)
        }
    }

    /// Tells the end; a transfer that has none yet is broken off, which closes an HTTP/1 connection.
    private func finish(_ exchange: CurlExchange, _ code: CURLcode?) {
        guard let easy = exchange.easy else {
            queues.withdraw(exchange)
            return exchange.end(code)
        }
        if code == nil { multi.remove(easy) }
        deactivate(easy)
        shared.withLock { $0.connections.ended(ObjectIdentifier(exchange)) }
        exchange.end(code)
        exchange.easy = nil
        // One that has ended by itself goes with its exchange when there is time for that.
        if code == nil { keep(easy) } else { endedHandles.append(easy) }
        if let next = queues.leave(exchange) { begin(next) }
    }

    private func deactivate(_ easy: EasyHandle) {
        let last = activeHandles.removeLast()
        guard last !== easy else { return }
        last.place = easy.place
        activeHandles[easy.place] = last
    }

    private func keep(_ easy: EasyHandle) {
        easy.exchange = nil
        if spareHandles.count < 64 { spareHandles.append(easy) }
    }

    private func takeOutEnded() {
        for easy in endedHandles {
            multi.remove(easy)
            keep(easy)
        }
        endedHandles.removeAll(keepingCapacity: true)
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
        multi.poll(milliseconds: Int32(clamping: min(due ?? milliseconds, milliseconds)))
        shared.withLock { shared in
            shared.isPolling = false
            shared.isBlocked = false
        }
        multi.performReady()
        deliver()
    }

    /// Breaks off what is left, then runs what that woke.
    private func end() {
        repeat {
            // Each end lets an exchange begin that has waited for it.
            while let exchange = activeHandles.last?.exchange { finish(exchange, nil) }
            runCommands()
        } while !activeHandles.isEmpty
        takeOutEnded()
        spareHandles.removeAll()
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
