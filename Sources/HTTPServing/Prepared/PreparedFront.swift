import Cmicrohttpd
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Answers what is prepared on connections that have asked for nothing else yet.
///
/// libmicrohttpd sends a chunked response in three pieces, each with a system call, and more calls hold them together.
/// Here such a response is one piece. What stands in front of libmicrohttpd only looks at what has arrived: a request
/// that is not answered here is still unread when libmicrohttpd is given the connection, for good. It is one thread: a
/// second would answer no more clients of the same machine, and take more processor time for each.
final class PreparedFront: @unchecked Sendable {
    // Reason: `guests` and `thread` have locks; what else changes is touched on the thread only, after `start`.
    private let handler: any RequestHandler
    private let limits: StreamServer.Configuration
    private let poller: CInt
    private let bell: CInt
    /// The connections by their number, each of which the poller knows by its address.
    private let guests = Lock<[UInt64: ServerConnection]>([:])
    private let thread = Lock<ServerThread?>(nil)
    private weak var core: ServerCore?
    private let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 << 10)
    private var reader = HeadReader()
    /// The head that `reader` has read.
    private var knownHead: [UInt8] = []
    private var output: [UInt8] = []

    init(_ configuration: HTTPServer.Configuration, handler: any RequestHandler) throws(ServerError) {
        self.handler = handler
        var limits = StreamServer.Configuration()
        limits.targetLimitBytes = configuration.targetLimitBytes
        limits.headLimitBytes = min(configuration.connectionMemoryBytes, scratch.count)
        self.limits = limits
        poller = epoll_create1(CInt(EPOLL_CLOEXEC))
        bell = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard poller >= 0, bell >= 0 else { throw Socket.failure("epoll_create1") }
        // No connection has this address.
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event)
    }

    deinit {
        close(poller)
        close(bell)
        scratch.deallocate()
    }

    func start(_ core: ServerCore) throws(ServerError) {
        self.core = core
        let started = try ServerThread { self.run() }
        thread.withLock { $0 = started }
    }

    /// Waits for the thread and closes every connection.
    func stop() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
        thread.withLock { $0 }?.join()
        let left = guests.withLock { guests in
            defer { guests = [:] }
            return guests.values
        }
        for connection in left {
            let socket = connection.place.withLock { $0 }
            // With something unread a socket ends by a reset.
            recv(socket, nil, scratch.count, CInt(MSG_TRUNC) | CInt(MSG_DONTWAIT))
            end(connection, socket)
        }
    }

    /// Looks at a connection from now on, from any thread; false where the system takes no more.
    func add(_ connection: ServerConnection, _ socket: CInt) -> Bool {
        guests.withLock { $0[connection.number] = connection }
        let address = UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(address)))
        if epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) == 0 { return true }
        guests.withLock { $0[connection.number] = nil }
        return false
    }

    // MARK: The thread

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while true {
            let found = epoll_wait(poller, &events, CInt(events.count), -1)
            guard found >= 0 || errno == EINTR else { return }
            for place in 0..<Int(max(found, 0)) {
                guard let address = UnsafeRawPointer(bitPattern: UInt(events[place].data.u64)) else { return }
                // Only this thread lets go of a connection, and then the poller has forgotten it.
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
        output.removeAll(keepingCapacity: true)
        let used = answer(UnsafeBufferPointer(rebasing: scratch[..<count]), connection)
        if used > 0 {
            // Looked at before, so that only now it is taken.
            recv(socket, nil, used, CInt(MSG_TRUNC) | CInt(MSG_DONTWAIT))
            connection.countBytes(used)
        }
        goOn(connection, socket, hasMore: used < count)
    }

    /// Answers what is prepared at the beginning of some input; returns how much of it that was.
    private func answer(_ input: UnsafeBufferPointer<UInt8>, _ connection: ServerConnection) -> Int {
        var used = 0
        while used < input.count {
            let rest = UnsafeBufferPointer(rebasing: input[used...])
            guard let head = HeadReader.find(rest), head.lowerBound == 0,
                read(UnsafeBufferPointer(rebasing: rest[head])),
                let prepared = prepared(UnsafeBufferPointer(rebasing: rest[head]), connection)
            else { break }
            connection.requests += 1
            output.append(contentsOf: prepared.bytes)
            used += head.upperBound
        }
        return used
    }

    /// Reads a head; false where it is not one that is answered here: it has content, or ends the connection, or is wrong.
    private func read(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        if head.count == knownHead.count, let start = head.baseAddress,
            memcmp(knownHead, start, head.count) == 0
        {
            return true
        }
        knownHead.removeAll(keepingCapacity: true)
        guard reader.read(head, 0..<head.count, limits: limits) == .complete(head.count), reader.isHTTP11,
            !reader.wantsClose, !reader.expectsContinue, !reader.check.hasCoding, reader.check.length == nil
        else { return false }
        knownHead.append(contentsOf: head)
        return true
    }

    private func prepared(_ head: UnsafeBufferPointer<UInt8>, _ connection: ServerConnection)
        -> PreparedResponse?
    {
        guard let firstLine = reader.lines.first else { return nil }
        return handler.preparedResponse(
            for: RequestHead(
                method: UnsafeBufferPointer(rebasing: head[reader.method]),
                target: UnsafeBufferPointer(rebasing: head[reader.target]),
                fieldLines: UnsafeBufferPointer(rebasing: head[firstLine.name.lowerBound..<head.count - 2]),
                connection: connection.number,
                peerPort: connection.peer.port,
                requestsBefore: connection.requests,
                isHTTP11: true
            )
        )
    }

    // MARK: Afterwards

    /// Writes what was answered, and gives the connection away if anything is left to do that is not done here.
    private func goOn(_ connection: ServerConnection, _ socket: CInt, hasMore: Bool) {
        let sent = output.isEmpty ? Socket.Sent.bytes(0) : Socket.send(socket, output[...])
        switch sent {
        case .bytes(output.count) where !hasMore: connection.stage.enter(.idle)
        case .bytes(output.count):
            leave(connection, socket)
            core?.takeBack(connection, socket: socket)
        case .bytes(let count):
            leave(connection, socket)
            core?.finish(Array(output[count...]), on: connection, socket)
        case .full:
            leave(connection, socket)
            core?.finish(output, on: connection, socket)
        case .failed:
            leave(connection, socket)
            end(connection, socket)
        }
    }

    private func leave(_ connection: ServerConnection, _ socket: CInt) {
        epoll_ctl(poller, EPOLL_CTL_DEL, socket, nil)
        guests.withLock { $0[connection.number] = nil }
    }

    private func end(_ connection: ServerConnection, _ socket: CInt) {
        core?.ended(connection)
        close(socket)
    }
}
