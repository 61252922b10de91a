import Clocks
import Cmicrohttpd
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What stands between connections, libmicrohttpd and the handler: its parts, their beginning and their end.
final class ServerCore: ExchangeHost {
    private struct State {
        var daemon: MicroHTTPDaemon?
        var isStopping = false
    }
    let watcher: SocketWatcher
    let drainClock = SystemClock()
    let handler: any RequestHandler
    let limits: RequestLimits
    let connections: ConnectionBook
    let pauses = PauseBook()
    /// What ends TLS; `nil` where there is none.
    let relay: TLSRelay?
    /// What answers what is prepared; `nil` where TLS is spoken.
    let front: PreparedFront?
    /// What stands for a socket that was taken away from libmicrohttpd.
    let dummy: CInt
    private let timeLimits: TimeLimits
    /// The next look at who is too slow.
    private let patrol = Lock<Sleeper?>(nil)
    private let state = Lock(State())

    init(handler: any RequestHandler, configuration: HTTPServer.Configuration) throws(ServerError) {
        self.handler = handler
        limits = RequestLimits(configuration)
        timeLimits = configuration.timeLimits
        connections = ConnectionBook(connectionsBefore: configuration.connectionsBefore)
        watcher = try SocketWatcher()
        let handshakeTime = configuration.timeLimits.head
        relay = try configuration.tls.map { (tls) throws(ServerError) in try TLSRelay(tls, handshakeTime) }
        front = configuration.tls == nil ? try PreparedFront(configuration, handler: handler) : nil
        dummy = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard dummy >= 0 else { throw Socket.failure("socket") }
    }

    deinit { if dummy >= 0 { close(dummy) } }

    func start(_ configuration: HTTPServer.Configuration) throws(ServerError) {
        try watcher.start()
        try relay?.start(self)
        let daemon = try MicroHTTPDaemon(core: self, configuration: configuration)
        state.withLock { $0.daemon = daemon }
        try front?.start(self)
        lookAfterTime()
    }

    /// Ends connections whose time is over, now and again and again.
    private func lookAfterTime() {
        for connection in connections.open { connection.expire(timeLimits) }
        patrol.withLock { patrol in
            if state.withLock({ $0.isStopping }) { return }
            patrol = drainClock.schedule(after: timeLimits.interval) { [weak self] in self?.lookAfterTime() }
        }
    }

    func stop() {
        let daemon = state.withLock { state in
            state.isStopping = true
            defer { state.daemon = nil }
            return state.daemon
        }
        guard let daemon else { return }
        pauses.end()
        patrol.withLock { $0 }?.cancel()
        front?.stop()
        stopExchanges()
        // libmicrohttpd closes what it has not read from: that would reset the connection.
        for connection in connections.open { connection.discardUnread() }
        daemon.stop()
        // A request that was being handled meanwhile may have begun another.
        stopExchanges()
        watcher.stop()
        relay?.stop()
    }

    private func stopExchanges() {
        for exchange in connections.exchanges { exchange.stop() }
    }

    /// Has libmicrohttpd read from a connection; `nil` when there is none any more, false when it takes no more.
    func giveToDaemon(_ socket: CInt, _ connection: ServerConnection) -> Bool? {
        // Under the lock, so that the daemon is not stopped meanwhile.
        state.withLock { $0.daemon?.add(socket, peer: connection.peer) }
    }
}

/// How much a client may ask for.
struct RequestLimits: Sendable {
    let bodyBytes: Int
    let targetBytes: Int
    let connections: Int

    init(_ configuration: HTTPServer.Configuration) {
        bodyBytes = configuration.bodyLimitBytes
        targetBytes = configuration.targetLimitBytes
        connections = configuration.connectionLimit
    }

    /// Connections that are there and those that are being told that there are too many.
    var mostConnections: Int { connections + MicroHTTPDaemon.spareConnections }
}
