import Clocks
import Cmicrohttpd
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One thread and the connections that it reads from and writes to.
final class StreamLoop: @unchecked Sendable {
    // Reason: `inbox` and `thread` have locks; everything else is touched on the loop's thread only.
    enum Command {
        case accepted(CInt, UInt64)
        /// An exchange has something to do.
        case exchange(StreamExchange)
    }
    private struct Inbox {
        var commands: [Command] = []
        var isRung = false
        var isStopping = false
    }
    let configuration: StreamServer.Configuration
    let handler: any StreamHandler
    let clock = SystemClock()
    private let poller: Poller
    private let inbox = Lock(Inbox())
    private let thread = Lock<ServerThread?>(nil)
    /// By descriptor.
    private var connections: [StreamConnection?] = []
    private var count = 0
    private var nextSweep: Duration = .zero
    /// What every connection reads into, one after the other.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128 << 10)
    var reader = HeadReader()
    var answerer: (any StreamAnswerer)?
    var answer = StreamAnswer()
    /// What is to be written at the end of a round of one connection.
    var output: [UInt8] = []

    init(_ configuration: StreamServer.Configuration, handler: any StreamHandler) throws(ServerError) {
        self.configuration = configuration
        self.handler = handler
        poller = try Poller()
    }

    deinit { scratch.deallocate() }

    func start() throws(ServerError) {
        let started = try ServerThread { self.run() }
        thread.withLock { $0 = started }
    }

    /// Closes every connection and waits for the thread.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        poller.ring()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    // MARK: From any thread

    func post(_ command: Command) {
        let rings = inbox.withLock { inbox in
            inbox.commands.append(command)
            defer { inbox.isRung = true }
            return !inbox.isRung
        }
        if rings { poller.ring() }
    }

    // MARK: On the loop's thread

    private func run() {
        answerer = handler.makeAnswerer()
        var events = Poller.room(256)
        while let found = poller.wait(&events, milliseconds: count == 0 ? -1 : 5000) {
            for place in 0..<found where events[place].data.u64 != Poller.bell {
                connection(events[place].data.u64)?.handle(events: events[place].events)
            }
            if !takeCommands() { break }
            sweep()
        }
        for connection in connections { connection?.end() }
    }

    private static func number(_ socket: CInt) -> UInt64 { UInt64(UInt32(bitPattern: socket)) }

    private func connection(_ socket: UInt64) -> StreamConnection? {
        connections.indices.contains(Int(truncatingIfNeeded: socket)) ? connections[Int(socket)] : nil
    }

    /// False when the loop is to end.
    private func takeCommands() -> Bool {
        let (commands, isStopping, wasRung) = inbox.withLock { inbox in
            defer { (inbox.commands, inbox.isRung) = ([], false) }
            return (inbox.commands, inbox.isStopping, inbox.isRung)
        }
        if wasRung || isStopping { poller.silence() }
        for command in commands {
            switch command {
            case .accepted(let socket, let number):
                isStopping ? Socket.closeQuietly(socket) : add(socket, number)
            case .exchange(let exchange): exchange.connection.serve(exchange)
            }
        }
        return !isStopping
    }

    private func add(_ socket: CInt, _ number: UInt64) {
        // What waits in a socket is kept a second time where it is to be stored.
        Socket.setUnsentLimit(socket, 64 << 10)
        let connection = StreamConnection(socket, number: number, loop: self)
        while connections.count <= Int(socket) { connections.append(nil) }
        connections[Int(socket)] = connection
        count += 1
        poller.add(socket, connection.interest, as: Self.number(socket))
    }

    func setInterest(_ connection: StreamConnection) {
        poller.change(connection.socket, connection.interest, as: Self.number(connection.socket))
    }

    /// Forgets a connection and closes its socket.
    func close(_ connection: StreamConnection) {
        connections[Int(connection.socket)] = nil
        count -= 1
        Socket.closeQuietly(connection.socket)
    }

    /// Ends what has been idle for too long.
    private func sweep() {
        let now = clock.elapsed
        guard count > 0, now >= nextSweep else { return }
        nextSweep = now + .seconds(5)
        for connection in connections { connection?.endIfIdle(now) }
    }
}

extension Socket {
    /// Closes a descriptor, whose name a method may hide.
    static func closeQuietly(_ socket: CInt) { close(socket) }
}
