import CLibrary
import Clocks
import Locks

/// Connects listener, libmicrohttpd, TLS relay and handler, and starts and stops them.
final class ServerCore: Sendable {
    private struct State {
        var daemon: MicroHTTPDaemon?
        var isStopping = false
    }
    let watcher: SocketWatcher
    /// The real clock, to stop reading from clients that never stop sending.
    let drainClock = SystemClock()
    let handler: any RequestHandler
    let limits: RequestLimits
    let connections: ServerConnections
    let pauses = SuspendedConnections()
    /// The TLS relay; `nil` without TLS.
    let relay: TLSRelay?
    /// Reads requests.
    let front: RequestFront
    /// The dummy that replaces a socket taken over from libmicrohttpd.
    let dummy: CInt
    private let timeLimits: TimeLimits
    /// The timer of the next sweep for connections beyond their time limits.
    private let sweep = Lock<Sleeper?>(nil)
    private let state = Lock(State())

    init(handler: any RequestHandler, configuration: HTTPServer.Configuration) throws(ServerError) {
        self.handler = handler
        limits = RequestLimits(configuration)
        timeLimits = configuration.timeLimits
        connections = ServerConnections(connectionsBefore: configuration.connectionsBefore)
        watcher = try SocketWatcher()
        let handshakeTime = configuration.timeLimits.head
        relay = try configuration.tls.map { (tls) throws(ServerError) in try TLSRelay(tls, handshakeTime) }
        front = try RequestFront(configuration, handler: handler)
        dummy = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard dummy >= 0 else { throw Socket.failure("socket") }
    }

    deinit { if dummy >= 0 { close(dummy) } }

    func start(_ configuration: HTTPServer.Configuration) throws(ServerError) {
        try watcher.start()
        try relay?.start(self)
        let daemon = try MicroHTTPDaemon(core: self, configuration: configuration)
        state.withLock { $0.daemon = daemon }
        try front.start(self)
        lookAfterTime()
    }

    /// Ends connections beyond their time limits, now and periodically.
    private func lookAfterTime() {
        for connection in connections.open { connection.expire(timeLimits) }
        sweep.withLock { sweep in
            if state.withLock({ $0.isStopping }) { return }
            sweep = drainClock.schedule(after: timeLimits.interval) { [weak self] in self?.lookAfterTime() }
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
        sweep.withLock { $0 }?.cancel()
        front.stop()
        stopExchanges()
        // libmicrohttpd closes connections with unread bytes, which would reset them.
        for connection in connections.open { connection.discardUnread() }
        daemon.stop()
        // A request that was being handled meanwhile may have begun another exchange.
        stopExchanges()
        watcher.stop()
        relay?.stop()
    }

    private func stopExchanges() {
        for exchange in connections.exchanges { exchange.stop() }
    }

    /// Adds a connection to libmicrohttpd; `nil` if that has been stopped, false if it rejects the connection.
    func giveToDaemon(_ socket: CInt, _ connection: ServerConnection) -> Bool? {
        // Under the lock, so that the daemon is not stopped at the same time.
        state.withLock { $0.daemon?.add(socket, peer: connection.peer) }
    }
}

/// The limits on requests.
struct RequestLimits: Sendable {
    let bodyBytes: Int
    let connections: Int

    init(_ configuration: HTTPServer.Configuration) {
        bodyBytes = configuration.contentLimitBytes
        connections = configuration.connectionLimit
    }

    /// The number of open connections, including those that are being rejected.
    var maximumConnections: Int { connections + MicroHTTPDaemon.spareConnections }
}
