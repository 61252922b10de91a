import Clocks
import Cmicrohttpd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Handles the requests that libmicrohttpd reads.
extension ServerCore {
    func headIsRead(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.phase = .reading
        if connection.targetCount > limits.targetBytes {
            return refuse(.targetTooLong, connection, handle, method)
        }
        if connection.head[..<connection.targetCount].contains(where: { $0 >= 0x80 }) {
            return refuse(.targetBeyondASCII, connection, handle, method)
        }
        let problem = connection.check.verdict(isHTTP11: connection.isHTTP11, bodyLimit: limits.bodyBytes)
        if let problem { return refuse(problem, connection, handle, method) }
        if connection.hasContentAhead { connection.awaitContent() }
        return beginReading(connection, handle, method)
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
        if let prepared = prepared(for: connection, method) { return send(prepared, connection, handle) }
        return answer(connection, handle) { handler.reply(to: connection.request(method: method)) }
    }

    // MARK: Prepared responses

    private func send(
        _ prepared: PreparedResponse,
        _ connection: ServerConnection,
        _ handle: OpaquePointer
    ) -> MHD_Result {
        guard connection.claim() else {
            handler.preparedWasCut(connection: connection.number, after: connection.requests)
            return .NO
        }
        connection.requests += 1
        connection.isSendingPrepared = true
        // libmicrohttpd sends head, chunk and last chunk separately: corked, they are one segment.
        if prepared.isChunked {
            connection.isCorked = true
            Socket.setCork(cachecheck_connection_socket(handle), true)
        }
        return .queue(prepared, on: handle)
    }

    /// Records that libmicrohttpd did not send the whole response.
    func preparedWasCut(_ connection: ServerConnection) {
        handler.preparedWasCut(connection: connection.number, after: connection.requests - 1)
    }

    /// The last response on a connection is a raw reply, because it contains `Connection: close`.
    private func prepared(
        for connection: ServerConnection,
        _ method: UnsafePointer<CChar>
    ) -> PreparedResponse? {
        guard connection.body.isEmpty, connection.isPersistent else { return nil }
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
        var reply = RawReply([.write(bytes[...])], ending: .keepAlive, clock: drainClock, observer: observer)
        reply.precedesPrepared = true
        begin(reply, on: connection, socket)
    }

    func begin(_ reply: RawReply, on connection: ServerConnection, _ socket: CInt) {
        connection.stage.enter(.busy)
        connections.begin { number in
            RawExchange(number: number, reply: reply, socket: socket, connection: connection, server: self)
        }.begin()
    }

    func exchangeEnded(_ exchange: RawExchange) { connections.end(exchange) }
}
