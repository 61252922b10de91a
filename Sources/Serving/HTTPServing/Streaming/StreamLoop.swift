import Cepoll
import CLibrary
import Clocks
import Locks
import Threads

/// One thread and the connections that it reads from and writes to.
final class StreamLoop: TimerTarget, @unchecked Sendable {
    // Reason: `inbox` and `thread` have locks; everything else is accessed only on the loop's thread.
    enum Command {
        case accepted(CInt, UInt64, isOneTooMany: Bool)
        /// Check the time limits of all connections.
        case sweep
        /// Perform the commands of an exchange.
        case exchange(StreamExchange)
    }
    private struct Inbox {
        var commands: [Command] = []
        var isAwake = false
        var isStopping = false
    }
    let configuration: StreamServer.Configuration
    let handler: any StreamHandler
    let clock: any TimeSource
    private let openConnections: ConnectionCount
    private let poller: Poller
    private let inbox = Lock(Inbox())
    private let thread = Lock<SystemThread?>(nil)
    /// The connections, by descriptor.
    private var connections: [StreamConnection?] = []
    private var count = 0
    /// The timer of the next check of time limits; `nil` if there are no connections.
    private var timer: PendingTimer?
    /// The input buffer that all connections use in turn.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128 << 10)
    var reader = HeadReader()
    var answerer: (any StreamAnswerer)?
    var answer = StreamAnswer()
    /// The output of one connection in the current round.
    var output: [UInt8] = []

    init(
        _ configuration: StreamServer.Configuration,
        handler: any StreamHandler,
        clock: any TimeSource,
        connections: ConnectionCount
    ) throws(ServerError) {
        self.configuration = configuration
        self.handler = handler
        self.clock = clock
        openConnections = connections
        poller = try Poller()
    }

    deinit { scratch.deallocate() }

    func start() throws(ServerError) {
        let started = try SystemThread.serving { self.run() }
        thread.withLock { $0 = started }
    }

    /// Closes every connection and waits for the thread.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        poller.wake()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    // MARK: From any thread

    func post(_ command: Command) {
        let wakes = inbox.withLock { inbox in
            inbox.commands.append(command)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if wakes { poller.wake() }
    }

    /// Requests a check of the time limits.
    func timerFired() { post(.sweep) }

    // MARK: On the loop's thread

    private func run() {
        holdBackBrokenPipes()
        answerer = handler.makeAnswerer()
        var events = Poller.room(256)
        while let found = poller.wait(&events) {
            for index in 0..<found {
                let number = events[index].data.u64
                // Cleared before the commands are taken, so that a wake-up for later ones is not lost.
                if number == Poller.wakeUp {
                    poller.clearWakeUp()
                } else {
                    connection(number)?.handle(events: events[index].events)
                }
            }
            if !takeCommands() { break }
        }
        for connection in connections { connection?.end() }
        if let timer { clock.cancel(timer) }
    }

    /// Blocks SIGPIPE, which the system raises when a file is written to a closed socket; the call also returns an
    /// error.
    private func holdBackBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func number(_ socket: CInt) -> UInt64 { UInt64(UInt32(bitPattern: socket)) }

    private func connection(_ socket: UInt64) -> StreamConnection? {
        connections.indices.contains(Int(truncatingIfNeeded: socket)) ? connections[Int(socket)] : nil
    }

    /// Performs the commands of other threads; returns false if the loop must end.
    private func takeCommands() -> Bool {
        let (commands, isStopping) = inbox.withLock { inbox in
            defer { (inbox.commands, inbox.isAwake) = ([], false) }
            return (inbox.commands, inbox.isStopping)
        }
        for command in commands {
            switch command {
            case .accepted(let socket, let number, let isOneTooMany):
                isStopping ? Socket.closeQuietly(socket) : add(socket, number, isOneTooMany)
            case .sweep: sweep()
            case .exchange(let exchange): exchange.connection.serve(exchange)
            }
        }
        return !isStopping
    }

    private func add(_ socket: CInt, _ number: UInt64, _ isOneTooMany: Bool) {
        // Limits the socket's buffer, because its bytes are in memory a second time if the response is stored.
        Socket.setUnsentLimit(socket, 64 << 10)
        let connection = StreamConnection(socket, number: number, loop: self)
        while connections.count <= Int(socket) { connections.append(nil) }
        connections[Int(socket)] = connection
        count += 1
        poller.add(socket, connection.interest, as: Self.number(socket))
        if timer == nil { arrangeSweep() }
        if isOneTooMany { connection.turnAway() }
    }

    func setInterest(_ connection: StreamConnection) {
        poller.change(connection.socket, connection.interest, as: Self.number(connection.socket))
    }

    /// Removes a connection and closes its socket.
    func close(_ connection: StreamConnection) {
        connections[Int(connection.socket)] = nil
        count -= 1
        openConnections.remove()
        Socket.closeQuietly(connection.socket)
    }

    /// Ends connections that exceed a time limit.
    private func sweep() {
        timer = nil
        let now = clock.elapsed
        for connection in connections { connection?.expire(now) }
        if count > 0 { arrangeSweep() }
    }

    private func arrangeSweep() {
        timer = clock.schedule(self, at: clock.elapsed + configuration.timeLimits.interval)
    }
}

extension Socket {
    /// Closes a descriptor, whose name a method may hide.
    static func closeQuietly(_ socket: CInt) { close(socket) }
}
