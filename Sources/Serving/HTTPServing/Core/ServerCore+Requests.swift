import CLibrary
import Clocks
import Cmicrohttpd

/// Answers requests that the front has read.
extension ServerCore {
    /// Answers a request on a connection that was claimed.
    func reply(to request: ServedRequest, _ connection: ServerConnection, _ socket: CInt) {
        connection.requests += 1
        begin(handler.reply(to: request), on: connection, socket)
    }

    /// Rejects a request on a connection that was claimed.
    func refuse(
        _ request: ServedRequest,
        for problem: RequestProblem,
        _ connection: ServerConnection,
        _ socket: CInt
    ) {
        connection.requests += 1
        begin(handler.refusal(of: request, for: problem), on: connection, socket)
    }
}

/// Handles the requests that libmicrohttpd reads.
extension ServerCore {
    func headIsRead(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.phase = .reading
        // The front has checked the head.
        if connection.hasContentAhead { connection.awaitContent() }
        return beginReading(connection, handle)
    }

    func contentArrived(
        _ bytes: UnsafeRawBufferPointer,
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> (taken: Int, result: MHD_Result) {
        guard connection.body.count + bytes.count <= limits.bodyBytes else {
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
        // Stops after the last byte.
        if connection.pace != nil {
            switch stop(connection, handle) {
            case .none: break
            case .paused: return .YES
            case .answered(let result): return result
            }
        }
        connection.countBytes()
        return answer(connection, handle) { handler.reply(to: connection.request(method: method)) }
    }

    // MARK: Raw replies

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

    /// Writes the rest of prepared responses that the socket did not accept at once.
    func finish(
        _ bytes: [UInt8],
        on connection: ServerConnection,
        _ socket: CInt,
        _ observer: some ExchangeObserver
    ) {
        let reply = RawReply([.write(bytes[...])], ending: .keepAlive, clock: drainClock, observer: observer)
        begin(reply, on: connection, socket)
    }

    func begin(_ reply: RawReply, on connection: ServerConnection, _ socket: CInt) {
        connection.stage.enter(.busy)
        connections.begin { number in
            RawExchange(number: number, reply: reply, socket: socket, connection: connection, server: self)
        }.begin()
    }

    /// Called when the exchange has ended, before its socket is closed or returned.
    func exchangeEnded(_ exchange: RawExchange) { connections.end(exchange) }
}
