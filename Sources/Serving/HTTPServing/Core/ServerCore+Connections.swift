import CLibrary
import Clocks

/// Dispatches connections: to the front, to libmicrohttpd, to the TLS relay, or to rejection.
extension ServerCore {
    func accepted(_ socket: CInt, peer: SocketAddress) {
        let (connection, count) = connections.accept(socket, peer: peer)
        if count > limits.connections {
            return turnAway(connection, socket, isTold: count <= limits.maximumConnections)
        }
        let greeting = handler.greeting(ofConnection: connection.number, isTLS: relay != nil)
        connection.secondGreeting = greeting.afterHandshake
        if let reply = greeting.ofConnection { return begin(reply, on: connection, socket) }
        takeBack(connection, socket: socket)
    }

    /// Reads the next request from a connection, after the handshake if TLS is configured.
    func takeBack(_ connection: ServerConnection, socket: CInt) {
        connection.setSocket(socket)
        if let relay, connection.tunnel == nil {
            // The relay has its own time limit for the handshake.
            connection.stage.enter(.busy)
            return relay.begin(connection, socket)
        }
        connection.stage.enter(.idle)
        if !front.add(connection, socket) { drop(connection, socket) }
    }

    /// Passes a connection to libmicrohttpd, to read a request with stops.
    func passToDaemon(_ connection: ServerConnection, _ socket: CInt) {
        connection.stage.enter(.idle)
        connections.send(connection, as: socket)
        let isAdded = giveToDaemon(socket, connection)
        if isAdded == true { return }
        connection.setSocket(-1)
        connections.turnBack(connection, socket)
        // libmicrohttpd closes a socket that it rejects; while the server is being stopped there is no daemon.
        if isAdded == nil {
            Socket.discardUnread(socket)
            close(socket)
        }
    }

    private func drop(_ connection: ServerConnection, _ socket: CInt) {
        ended(connection)
        Socket.discardUnread(socket)
        close(socket)
    }

    /// Called after the handshake; `socket` is the server's end of the plain connection that replaces the client's.
    func secured(_ connection: ServerConnection, socket: CInt, _ tunnel: TLSTunnel) {
        connection.tunnel = tunnel
        connection.facts = tunnel.session.facts
        connection.setSocket(socket)
        guard let greeting = connection.secondGreeting else { return takeBack(connection, socket: socket) }
        begin(greeting, on: connection, socket)
    }

    /// Called before the connection is closed.
    func ended(_ connection: ServerConnection) {
        connection.setSocket(-1)
        connections.close(connection)
    }

    /// Ends every connection, idle or not.
    func cutConnections() {
        for connection in connections.open { connection.cut() }
    }

    // MARK: One too many

    /// Responds with 503 on a connection beyond the limit, after its handshake; closes it if those are too many, too.
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
        let text = RequestProblem.tooManyConnections.explanation + "\n"
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
}
