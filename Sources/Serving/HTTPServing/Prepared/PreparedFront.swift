import Cmicrohttpd
import Locks
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sends prepared responses on connections whose next request likely has one.
///
/// libmicrohttpd sends a chunked response in three pieces, with one system call each and more calls to combine them; a
/// raw reply takes the socket over from libmicrohttpd and returns it. Here a response is one piece. The front only
/// peeks at received bytes: a request that it does not answer is still unread when libmicrohttpd gets the connection.
/// There is one thread: a second would not serve more clients of the same machine, but take more processor time for
/// each.
final class PreparedFront: @unchecked Sendable {
    // Reason: `guests` and `thread` have locks; other mutable state is accessed only on the thread, after `start`.
    private let answerer: PreparedAnswerer
    private let poller: Poller
    /// The connections by their number; the poller identifies each by its address.
    private let guests = Lock<[UInt64: ServerConnection]>([:])
    private let thread = Lock<SystemThread?>(nil)
    private weak var core: ServerCore?
    private let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 << 10)

    init(_ configuration: HTTPServer.Configuration, handler: any RequestHandler) throws(ServerError) {
        var limits = StreamServer.Configuration()
        limits.targetLimitBytes = configuration.targetLimitBytes
        limits.headLimitBytes = min(configuration.connectionMemoryBytes, scratch.count)
        answerer = PreparedAnswerer(handler: handler, limits: limits)
        poller = try Poller()
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
        let left = guests.withLock { guests in
            defer { guests = [:] }
            return guests.values
        }
        for connection in left {
            let socket = connection.place.withLock { $0 }
            Socket.discardUnread(socket)
            end(connection, socket)
        }
    }

    /// Adds a connection, from any thread; returns false if the system refuses.
    func add(_ connection: ServerConnection, _ socket: CInt) -> Bool {
        guests.withLock { $0[connection.number] = connection }
        let address = UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
        if poller.add(socket, EPOLLIN.rawValue, as: UInt64(address)) { return true }
        guests.withLock { $0[connection.number] = nil }
        return false
    }

    // MARK: The thread

    private func run() {
        var events = Poller.room(256)
        while let found = poller.wait(&events) {
            for place in 0..<found {
                let number = events[place].data.u64
                guard number != Poller.wakeUp, let address = UnsafeRawPointer(bitPattern: UInt(number)) else {
                    return
                }
                // Only this thread removes a connection, and the poller has no event for it afterwards.
                serve(Unmanaged<ServerConnection>.fromOpaque(address).takeUnretainedValue())
            }
        }
    }

    private func serve(_ connection: ServerConnection) {
        let socket = connection.place.withLock { $0 }
        let count = recv(socket, scratch.baseAddress, scratch.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return }
        guard count > 0, connection.claim() else {
            leave(connection, socket)
            return end(connection, socket)
        }
        let used = answerer.answer(UnsafeBufferPointer(rebasing: scratch[..<count]), connection)
        if used > 0 {
            // The bytes were only peeked at before; this consumes them.
            recv(socket, nil, used, CInt(MSG_TRUNC) | CInt(MSG_DONTWAIT))
            connection.countBytes(used)
        }
        goOn(connection, socket, hasMore: used < count)
    }

    // MARK: After the responses

    /// Writes the responses, and passes the connection on if it has a request that is not answered here.
    private func goOn(_ connection: ServerConnection, _ socket: CInt, hasMore: Bool) {
        let output = answerer.output
        let sent = output.isEmpty ? Socket.Sent.bytes(0) : Socket.send(socket, output[...])
        switch sent {
        case .bytes(output.count) where !hasMore: connection.stage.enter(.idle)
        case .bytes(output.count):
            leave(connection, socket)
            core?.takeBack(connection, socket: socket)
        case .bytes(let count): finish(from: count, connection, socket)
        case .full: finish(from: 0, connection, socket)
        case .failed:
            answerer.wasCut(after: 0, connection)
            leave(connection, socket)
            end(connection, socket)
        }
    }

    /// Passes the rest of the output on, to be written when the socket is writable.
    private func finish(from count: Int, _ connection: ServerConnection, _ socket: CInt) {
        leave(connection, socket)
        let follower = answerer.follower(from: count, connection)
        core?.finish(Array(answerer.output[count...]), on: connection, socket, follower)
    }

    private func leave(_ connection: ServerConnection, _ socket: CInt) {
        poller.remove(socket)
        guests.withLock { $0[connection.number] = nil }
    }

    private func end(_ connection: ServerConnection, _ socket: CInt) {
        core?.ended(connection)
        close(socket)
    }
}
