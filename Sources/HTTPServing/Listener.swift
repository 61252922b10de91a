import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A listening socket and the thread that accepts its connections.
///
/// libmicrohttpd is given connections and never listens itself, so that an outage can refuse new ones while the
/// server stays.
struct Listener: Sendable {
    let port: UInt16
    private let socket: CInt
    private let isStopped = Lock(false)
    private let thread: ServerThread

    init(
        _ address: SocketAddress,
        onAccept: @escaping @Sendable (CInt, SocketAddress) -> Void
    ) throws(ServerError) {
        let socket = try Socket.listen(address)
        self.socket = socket
        port = SocketAddress.local(of: socket).port
        thread = try ServerThread { Self.accept(on: socket, onAccept) }
    }

    /// Whether it takes no more connections although nobody has stopped it: its socket was shut down by another hand.
    var isLost: Bool { isStopped.withLock { !$0 && !Socket.isListening(socket) } }

    /// Refuses connections from now on; returns when the port is free.
    func stop() {
        isStopped.withLock { $0 = true }
        // Shutting down wakes the thread out of accept; closing alone does not.
        shutdown(socket, CInt(SHUT_RDWR))
        thread.join()
        close(socket)
    }

    private static func accept(on socket: CInt, _ onAccept: (CInt, SocketAddress) -> Void) {
        while true {
            if let (connection, peer) = SocketAddress.accept(on: socket) {
                Socket.prepare(connection)
                onAccept(connection, peer)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                // The connection stays in the queue: without a pause this would spin until a descriptor is free.
                poll(nil, 0, 10)
            } else if errno == EINVAL || errno == EBADF {
                return
            }
        }
    }
}
