import Clocks
import Cmicrohttpd
import Locks
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What happens to connections and requests between libmicrohttpd and the handler.
final class ServerCore: ExchangeHost {
    private struct State {
        var daemon: MicroHTTPDaemon?
        var isStopping = false
    }
    private struct Registry {
        /// Connections on their way to a worker, by descriptor.
        var arriving: [CInt: ServerConnection] = [:]
        var open: [UInt64: ServerConnection] = [:]
        var exchanges: [UInt64: RawExchange] = [:]
        var accepted: UInt64 = 0
        var exchangeCount: UInt64 = 0
        /// Connections that libmicrohttpd has suspended.
        var pauses: [UInt64: ReadingPause] = [:]
        var pauseCount: UInt64 = 0
        var isStopping = false
    }
    let watcher: SocketWatcher
    let drainClock = SystemClock()
    let handler: any RequestHandler
    /// What ends TLS; `nil` where there is none.
    private let relay: TLSRelay?
    /// What answers what is prepared; `nil` where TLS is spoken.
    private let front: PreparedFront?
    private let connectionsBefore: UInt64
    private let bodyLimit: Int
    private let targetLimit: Int
    private let limits: TimeLimits
    private let connectionLimit: Int
    private let dummy: CInt
    /// The next look at who is too slow.
    private let patrol = Lock<Sleeper?>(nil)
    private let state = Lock(State())
    private let registry = Lock(Registry())

    init(handler: any RequestHandler, configuration: HTTPServer.Configuration) throws(ServerError) {
        self.handler = handler
        bodyLimit = configuration.bodyLimitBytes
        targetLimit = configuration.targetLimitBytes
        limits = configuration.timeLimits
        connectionLimit = configuration.connectionLimit
        watcher = try SocketWatcher()
        let handshakeTime = configuration.timeLimits.head
        relay = try configuration.tls.map { (tls) throws(ServerError) in try TLSRelay(tls, handshakeTime) }
        front = configuration.tls == nil ? try PreparedFront(configuration, handler: handler) : nil
        connectionsBefore = configuration.connectionsBefore
        dummy = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard dummy >= 0 else { throw Socket.failure("socket") }
    }

    deinit { close(dummy) }

    // MARK: Life

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
        for connection in registry.withLock({ Array($0.open.values) }) { connection.expire(limits) }
        patrol.withLock { patrol in
            if registry.withLock({ $0.isStopping }) { return }
            patrol = drainClock.schedule(after: limits.interval) { [weak self] in self?.lookAfterTime() }
        }
    }

    func stop() {
        let daemon = state.withLock { state in
            state.isStopping = true
            defer { state.daemon = nil }
            return state.daemon
        }
        guard let daemon else { return }
        endPauses()
        patrol.withLock { $0 }?.cancel()
        front?.stop()
        stopExchanges()
        daemon.stop()
        // A request that was being handled meanwhile may have begun another.
        stopExchanges()
        watcher.stop()
        relay?.stop()
    }

    private func stopExchanges() {
        for exchange in registry.withLock({ Array($0.exchanges.values) }) { exchange.stop() }
    }

    /// libmicrohttpd must not be stopped while it has suspended a connection.
    private func endPauses() {
        let pauses = registry.withLock { registry in
            registry.isStopping = true
            return Array(registry.pauses.values)
        }
        for pause in pauses { pause.resume() }
    }

    /// Suspends a connection and keeps what `make` makes; `nil` when the server is being stopped.
    func suspend(_ handle: OpaquePointer, _ make: (UInt64) -> ReadingPause) -> ReadingPause? {
        registry.withLock { registry in
            if registry.isStopping { return nil }
            registry.pauseCount += 1
            let pause = make(registry.pauseCount)
            registry.pauses[pause.number] = pause
            // Under the lock, so that whoever ends all pauses finds each connection suspended.
            MHD_suspend_connection(handle)
            return pause
        }
    }

    func forget(_ pause: ReadingPause) {
        registry.withLock { $0.pauses[pause.number] = nil }
    }

    /// Ends every connection, idle or not.
    func cutConnections() {
        for connection in registry.withLock({ Array($0.open.values) }) { connection.cut() }
    }

    /// Number of connections accepted so far.
    var acceptedCount: UInt64 { registry.withLock { $0.accepted } }

    // MARK: Connections

    func accepted(_ socket: CInt, peer: SocketAddress) {
        let (connection, count) = registry.withLock { registry in
            registry.accepted += 1
            let number = connectionsBefore + registry.accepted
            let connection = ServerConnection(number: number, socket: socket, peer: peer)
            connection.stage.enter(.idle)
            registry.open[connection.number] = connection
            return (connection, registry.open.count)
        }
        if count > connectionLimit {
            return turnAway(connection, socket, isTold: count <= mostConnections)
        }
        let greeting = handler.greeting(ofConnection: connection.number, isTLS: relay != nil)
        connection.secondGreeting = greeting.afterHandshake
        guard let reply = greeting.ofConnection else { return welcome(connection, socket) }
        begin(reply, on: connection, socket)
    }

    /// Has the first request read from a connection.
    private func welcome(_ connection: ServerConnection, _ socket: CInt) {
        if handler.preparesResponses, let front, front.add(connection, socket) { return }
        takeBack(connection, socket: socket)
    }

    /// Writes what is left of answers that the socket did not take at once.
    func finish(_ bytes: [UInt8], on connection: ServerConnection, _ socket: CInt) {
        begin(RawReply([.write(bytes[...])], ending: .keepAlive, clock: drainClock), on: connection, socket)
    }

    /// A connection's handshake is done; `socket` is the server's end of what stands for it from now on.
    func secured(_ connection: ServerConnection, socket: CInt, _ tunnel: TLSTunnel) {
        connection.tunnel = tunnel
        connection.facts = tunnel.session.facts
        connection.setSocket(socket)
        guard let greeting = connection.secondGreeting else { return takeBack(connection, socket: socket) }
        begin(greeting, on: connection, socket)
    }

    /// Connections that are there and those that are being told that there are too many.
    private var mostConnections: Int { connectionLimit + MicroHTTPDaemon.spareConnections }

    /// Answers 503 on a connection that is one too many, after its handshake; closes it where even those are too many.
    private func turnAway(_ connection: ServerConnection, _ socket: CInt, isTold: Bool) {
        guard isTold else {
            ended(connection)
            close(socket)
            return
        }
        let busy = Self.busy(drainClock)
        guard relay != nil else { return begin(busy, on: connection, socket) }
        connection.secondGreeting = busy
        takeBack(connection, socket: socket)
    }

    private static func busy(_ clock: SystemClock) -> RawReply {
        let text = "The server has as many connections as it takes.\n"
        let head = """
            HTTP/1.1 503 Service Unavailable\r
            \(FieldName.contentType): text/plain; charset=utf-8\r
            \(FieldName.contentLength): \(text.utf8.count)\r
            \(FieldName.retryAfter): 1\r
            \(FieldName.connection): close\r
            \r

            """
        return RawReply([.write(Array((head + text).utf8)[...])], ending: .drainAndClose, clock: clock)
    }

    func takeBack(_ connection: ServerConnection, socket: CInt) {
        connection.setSocket(socket)
        if let relay, connection.tunnel == nil {
            // The relay has a limit of its own for the handshake.
            connection.stage.enter(.busy)
            return relay.begin(connection, socket)
        }
        connection.stage.enter(.idle)
        registry.withLock { $0.arriving[socket] = connection }
        let isAdded = state.withLock { state in
            // Under the lock, so that the daemon is not stopped meanwhile.
            state.daemon?.add(socket, peer: connection.peer)
        }
        if isAdded == true { return }
        connection.setSocket(-1)
        registry.withLock { registry in
            if registry.arriving[socket] === connection { registry.arriving[socket] = nil }
            registry.open[connection.number] = nil
        }
        // libmicrohttpd closes what it does not take.
        if isAdded == nil { close(socket) }
    }

    func started(socket: CInt) -> ServerConnection? {
        registry.withLock { $0.arriving.removeValue(forKey: socket) }
    }

    /// Number of connections that are open.
    var openCount: Int { registry.withLock { $0.open.count } }

    func ended(_ connection: ServerConnection) {
        connection.setSocket(-1)
        registry.withLock { $0.open[connection.number] = nil }
    }

    func exchangeEnded(_ exchange: RawExchange) {
        registry.withLock { $0.exchanges[exchange.number] = nil }
    }

    // MARK: Requests

    func headIsRead(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.phase = .reading
        if connection.targetCount > targetLimit { return refuse(.targetTooLong, connection, handle, method) }
        guard
            let problem = connection.check.verdict(isHTTP11: connection.isHTTP11, bodyLimit: bodyLimit)
        else {
            if connection.hasContentAhead { connection.awaitContent() }
            return beginReading(connection, handle, method)
        }
        return refuse(problem, connection, handle, method)
    }

    func contentArrived(
        _ bytes: UnsafeRawBufferPointer,
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> (taken: Int, result: MHD_Result) {
        guard connection.body.count + bytes.count <= bodyLimit else {
            return (bytes.count, refuse(.contentTooLarge, connection, handle, method))
        }
        if connection.pace != nil { return readPaced(bytes, connection, handle) }
        connection.body.append(contentsOf: bytes)
        connection.countContent()
        return (bytes.count, .YES)
    }

    func requestIsRead(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        // What stops behind the last byte.
        if connection.pace != nil {
            switch stop(connection, handle) {
            case .none: break
            case .paused: return .YES
            case .answered(let result): return result
            }
        }
        connection.countBytes()
        if connection.body.isEmpty, let prepared = prepared(for: connection, method) {
            guard connection.claim() else { return .NO }
            connection.requests += 1
            // libmicrohttpd sends head, chunk and last chunk one by one: held back until the last, they are one segment.
            if prepared.isChunked {
                connection.isCorked = true
                Socket.setCork(cachecheck_connection_socket(handle), true)
            }
            return .queue(prepared, on: handle)
        }
        return answer(connection, handle) { handler.reply(to: connection.request(method: method)) }
    }

    private func prepared(
        for connection: ServerConnection,
        _ method: UnsafePointer<CChar>
    ) -> PreparedResponse? {
        let methodCount = strlen(method)
        return method.withMemoryRebound(to: UInt8.self, capacity: methodCount) { methodBytes in
            connection.head.withUnsafeBufferPointer { head in
                handler.preparedResponse(
                    for: RequestHead(
                        method: UnsafeBufferPointer(start: methodBytes, count: methodCount),
                        target: UnsafeBufferPointer(rebasing: head[..<connection.targetCount]),
                        fieldLines: UnsafeBufferPointer(rebasing: head[connection.targetCount...]),
                        connection: connection.number,
                        peerPort: connection.peer.port,
                        requestsBefore: connection.requests,
                        isHTTP11: connection.isHTTP11
                    )
                )
            }
        }
    }

    private func refuse(
        _ problem: RequestProblem,
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        answer(connection, handle) { handler.refusal(of: connection.request(method: method), for: problem) }
    }

    func answer(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ makeReply: () -> RawReply
    ) -> MHD_Result {
        guard connection.claim(), let socket = MicroHTTPDaemon.takeOver(handle, dummy: dummy) else {
            return .NO
        }
        connection.setSocket(socket)
        connection.lookForLostInput(socket)
        let reply = makeReply()
        connection.requests += 1
        begin(reply, on: connection, socket)
        return .YES
    }

    private func begin(_ reply: RawReply, on connection: ServerConnection, _ socket: CInt) {
        connection.stage.enter(.busy)
        let exchange = registry.withLock { registry in
            registry.exchangeCount += 1
            let exchange = RawExchange(
                number: registry.exchangeCount,
                reply: reply,
                socket: socket,
                connection: connection,
                server: self
            )
            registry.exchanges[exchange.number] = exchange
            return exchange
        }
        exchange.begin()
    }
}
