import Cepoll
import CLibrary
import Locks
import Threads

/// Reads requests from connections, and sends prepared responses.
///
/// Heads are parsed as strictly as RFC 9112 permits, and requests are answered in the order in which they arrive. The
/// front only peeks at received bytes, and consumes those of one request: bytes of the next one stay in the socket while
/// a raw reply has it. libmicrohttpd gets requests whose content is read with stops, with their heads unread.
/// There is one thread: a second would not serve more clients of the same machine, but take more processor time for
/// each.
final class RequestFront: @unchecked Sendable {
    // Reason: `connections` and `thread` have locks; other mutable state is accessed only on the thread, after `start`.
    let answerer: PreparedAnswerer
    let handler: any RequestHandler
    var reader = HeadReader()
    private let poller: Poller
    /// The connections by their number, `nil` after the stop; the poller identifies each by its address.
    private let connections = Lock<[UInt64: ServerConnection]?>([:])
    private let thread = Lock<SystemThread?>(nil)
    private(set) weak var core: ServerCore?
    private let scratch: UnsafeMutableBufferPointer<UInt8>

    init(_ configuration: HTTPServer.Configuration, handler: any RequestHandler) throws(ServerError) {
        self.handler = handler
        var limits = StreamServer.Configuration()
        limits.targetLimitBytes = configuration.targetLimitBytes
        limits.headLimitBytes = configuration.connectionMemoryBytes
        limits.contentLimitBytes = configuration.contentLimitBytes
        answerer = PreparedAnswerer(handler: handler, limits: limits)
        poller = try Poller()
        // More than the largest head, so that a larger one is noticed.
        scratch = .allocate(capacity: max(configuration.connectionMemoryBytes, 12 << 10) + 4 << 10)
    }

    deinit { scratch.deallocate() }

    func start(_ core: ServerCore) throws(ServerError) {
        self.core = core
        let started = try SystemThread.serving { self.run() }
        thread.withLock { $0 = started }
    }

    /// Waits for the thread and closes every connection.
    func stop() {
        poller.wake()
        thread.withLock { $0 }?.join()
        let left = connections.withLock { connections in
            defer { connections = nil }
            return connections ?? [:]
        }
        for connection in left.values {
            end(connection, connection.place.withLock { $0 })
        }
    }

    /// Adds a connection, from any thread; returns false if the system refuses, and after the stop.
    func add(_ connection: ServerConnection, _ socket: CInt) -> Bool {
        let address = UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
        return connections.withLock { connections in
            guard connections != nil, poller.add(socket, Self.interest, as: UInt64(address)) else {
                return false
            }
            connections?[connection.number] = connection
            return true
        }
    }

    /// Bytes that are only peeked at would be reported again and again without EPOLLET.
    private static let interest = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

    // MARK: The thread

    private func run() {
        var events = Poller.room(256)
        while let found = poller.wait(&events) {
            for index in 0..<found {
                let number = events[index].data.u64
                guard number != Poller.wakeUp, let address = UnsafeRawPointer(bitPattern: UInt(number)) else {
                    return
                }
                // Only this thread removes a connection, and the poller has no event for it afterwards.
                let connection = Unmanaged<ServerConnection>.fromOpaque(address).takeUnretainedValue()
                if events[index].events & EPOLLRDHUP.rawValue != 0 { connection.isHalfClosed = true }
                serve(connection)
            }
        }
    }

    private func serve(_ connection: ServerConnection) {
        let socket = connection.place.withLock { $0 }
        if connection.incoming != nil { return readContent(connection, socket) }
        guard let bytes = peek(connection, socket) else { return }
        guard HeadReader.find(bytes) != nil else { return awaitHead(bytes, connection, socket) }
        guard connection.claim() else { return drop(connection, socket) }
        let used = answerer.answer(bytes, connection)
        if used > 0 { consume(used, connection, socket) }
        goOn(
            connection,
            socket,
            with: UnsafeBufferPointer(rebasing: bytes[used...]),
            isCut: used > 0 && isFull(bytes)
        )
    }

    /// Returns unread bytes; `nil` if there are none, and if the client has gone, which ends the connection.
    func peek(_ connection: ServerConnection, _ socket: CInt) -> UnsafeBufferPointer<UInt8>? {
        let count = recv(socket, scratch.baseAddress, scratch.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        if count > 0 { return UnsafeBufferPointer(rebasing: scratch[..<count]) }
        if count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            drop(connection, socket)
        }
        return nil
    }

    /// Whether as many bytes were peeked at as fit, so that more may be there.
    func isFull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.count == scratch.count }

    /// Consumes bytes that were peeked at.
    func consume(_ count: Int, _ connection: ServerConnection, _ socket: CInt) {
        recv(socket, nil, count, CInt(MSG_TRUNC) | CInt(MSG_DONTWAIT))
        connection.countBytes(count)
    }

    /// Asks for an event if there are still unread bytes, so that other connections have their turn.
    func yield(_ connection: ServerConnection, _ socket: CInt) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
        poller.change(socket, Self.interest, as: UInt64(address))
    }

    // MARK: After the prepared responses

    /// Writes the prepared responses, then reads the request that is not answered by one.
    ///
    /// `isCut` is whether more than `rest` may have arrived.
    private func goOn(
        _ connection: ServerConnection,
        _ socket: CInt,
        with rest: UnsafeBufferPointer<UInt8>,
        isCut: Bool
    ) {
        let output = answerer.output
        switch output.isEmpty ? Socket.Sent.bytes(0) : Socket.send(socket, output[...]) {
        case .bytes(output.count): readRequest(rest, isCut: isCut, connection, socket)
        case .bytes(let count): finish(from: count, connection, socket)
        case .full: finish(from: 0, connection, socket)
        case .failed:
            answerer.wasCut(after: 0, connection)
            drop(connection, socket)
        }
    }

    /// Passes the rest of the output on, to be written when the socket is writable.
    private func finish(from count: Int, _ connection: ServerConnection, _ socket: CInt) {
        leave(connection, socket)
        let follower = answerer.follower(from: count, connection)
        core?.finish(Array(answerer.output[count...]), on: connection, socket, follower)
    }

    // MARK: Leaving

    /// Removes a connection, to pass it on.
    func leave(_ connection: ServerConnection, _ socket: CInt) {
        poller.remove(socket)
        connection.incoming = nil
        connections.withLock { _ = $0?.removeValue(forKey: connection.number) }
    }

    /// Ends a connection.
    func drop(_ connection: ServerConnection, _ socket: CInt) {
        leave(connection, socket)
        end(connection, socket)
    }

    private func end(_ connection: ServerConnection, _ socket: CInt) {
        core?.ended(connection)
        // Closing with unread bytes would reset the connection.
        Socket.discardUnread(socket)
        close(socket)
    }
}
