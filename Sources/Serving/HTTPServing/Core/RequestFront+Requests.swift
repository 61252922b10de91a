/// Reads requests that no prepared response answers.
extension RequestFront {
    /// Waits for the rest of a head, unless it is too large.
    func awaitHead(_ bytes: UnsafeBufferPointer<UInt8>, _ connection: ServerConnection, _ socket: Int32) {
        guard let problem = HeadReader.problem(ofIncomplete: bytes, answerer.limits) else {
            if connection.isHalfClosed { return drop(connection, socket) }
            // Behind other requests, the head may be the rest of a large piece.
            if connection.requests > 0 { Socket.makeRoom(socket) }
            return
        }
        guard connection.claim() else { return drop(connection, socket) }
        connection.begin()
        refuse(problem, method: "", connection, socket)
    }

    /// Reads a request from the start of `bytes`, for a connection that was claimed.
    ///
    /// `isCut` is whether more may have arrived: no other event reports that.
    func readRequest(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isCut: Bool,
        _ connection: ServerConnection,
        _ socket: Int32
    ) {
        guard let head = HeadReader.find(bytes) else {
            connection.stage.enter(.idle)
            if isCut { return yield(connection, socket) }
            if !bytes.isEmpty { return awaitHead(bytes, connection, socket) }
            return connection.isHalfClosed ? drop(connection, socket) : ()
        }
        let outcome = reader.read(bytes, head, limits: answerer.limits)
        connection.begin(reader, in: bytes)
        let method = String(decoding: bytes[reader.method], as: UTF8.self)
        switch outcome {
        case .refused(let problem): refuse(problem, method: method, connection, socket)
        case .complete(let count): accept(method, headCount: count, connection, socket)
        case .incomplete: connection.stage.enter(.idle)
        }
    }

    private func accept(_ method: String, headCount: Int, _ connection: ServerConnection, _ socket: Int32) {
        guard connection.hasContentAhead else {
            consume(headCount, connection, socket)
            leave(connection, socket)
            core?.reply(to: connection.request(method: method), connection, socket)
            return
        }
        let request = connection.request(method: method)
        if let reading = handler.reading(of: request) {
            connection.reading = reading
            leave(connection, socket)
            core?.passToDaemon(connection, socket)
            return
        }
        consume(headCount, connection, socket)
        connection.awaitContent()
        connection.incoming = IncomingRequest(
            method: method,
            content: IncomingContent(connection.check, limit: answerer.limits.contentLimitBytes),
            owesContinue: reader.expectsContinue && reader.isHTTP11
        )
        readContent(connection, socket)
    }

    private func refuse(
        _ problem: RequestProblem,
        method: String,
        _ connection: ServerConnection,
        _ socket: Int32
    ) {
        leave(connection, socket)
        core?.refuse(connection.request(method: method), for: problem, connection, socket)
    }

    // MARK: Content

    /// The number of pieces after which other connections have their turn.
    private static let maximumPieces = 16

    /// Reads as much of a request's content as has arrived.
    func readContent(_ connection: ServerConnection, _ socket: Int32) {
        for _ in 0..<Self.maximumPieces {
            guard var incoming = connection.incoming else { return }
            guard let bytes = peek(connection, socket) else {
                // RFC 9110 §10.1.1: unless the client has begun to send it.
                if connection.incoming?.takeContinue() == true { _ = Socket.send(socket, Self.goAhead[...]) }
                return
            }
            incoming.owesContinue = false
            let (used, state) = incoming.content.take(bytes, into: &connection.body)
            connection.incoming = incoming
            if used > 0 { consume(used, connection, socket) }
            connection.countContent()
            switch state {
            case .complete: return finish(incoming, connection, socket)
            case .refused(let problem): return refuse(problem, incoming, connection, socket)
            // A line of the chunked coding that is longer than what may be peeked at.
            case .incomplete where used == 0 && isFull(bytes):
                return refuse(.malformedChunk, incoming, connection, socket)
            case .incomplete where used == 0: return connection.isHalfClosed ? drop(connection, socket) : ()
            case .incomplete: break
            }
        }
        yield(connection, socket)
    }

    private func finish(_ incoming: IncomingRequest, _ connection: ServerConnection, _ socket: Int32) {
        guard connection.claim() else { return drop(connection, socket) }
        leave(connection, socket)
        core?.reply(to: connection.request(method: incoming.method), connection, socket)
    }

    private func refuse(
        _ problem: RequestProblem,
        _ incoming: IncomingRequest,
        _ connection: ServerConnection,
        _ socket: Int32
    ) {
        guard connection.claim() else { return drop(connection, socket) }
        refuse(problem, method: incoming.method, connection, socket)
    }

    private static let goAhead = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
