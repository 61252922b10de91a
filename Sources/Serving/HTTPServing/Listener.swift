import Locks
import Threads

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
    private let thread: SystemThread

    init(
        _ address: SocketAddress,
        onAccept: @escaping @Sendable (CInt, SocketAddress) -> Void
    ) throws(ServerError) {
        try self.init(on: try Socket.listen(address), onAccept)
    }

    /// Takes connections again after an outage.
    init(
        _ held: HeldPort,
        onAccept: @escaping @Sendable (CInt, SocketAddress) -> Void
    ) throws(ServerError) {
        try self.init(on: try held.listen(), onAccept)
    }

    private init(
        on socket: CInt,
        _ onAccept: @escaping @Sendable (CInt, SocketAddress) -> Void
    ) throws(ServerError) {
        self.socket = socket
        port = SocketAddress.local(of: socket).port
        thread = try SystemThread.serving { Self.accept(on: socket, onAccept) }
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

    /// Refuses connections from now on, and keeps the port from everybody else meanwhile.
    func hold() throws(ServerError) -> HeldPort {
        let held = try HeldPort(beside: socket)
        stop()
        return held
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

/// A port at which connections are refused, and that nobody else gets.
struct HeldPort: Sendable {
    private let socket: CInt
    private let address: SocketAddress

    /// Takes the port of a listening socket, which is to be closed next.
    fileprivate init(beside listening: CInt) throws(ServerError) {
        address = SocketAddress.local(of: listening)
        // For this moment only: a second server on the port would share it with us unseen.
        Socket.set(listening, SO_REUSEPORT, true)
        defer { Socket.set(listening, SO_REUSEPORT, false) }
        socket = try Socket.bound(to: address, isShared: true)
        Socket.set(socket, SO_REUSEPORT, false)
        // Another socket that allows reuse would get an address that nobody listens on.
        Socket.set(socket, SO_REUSEADDR, false)
    }

    /// Takes connections from now on; to be called once, and not after `release()`.
    fileprivate func listen() throws(ServerError) -> CInt {
        // What is left of connections after their end must not keep the port from the next server.
        Socket.set(socket, SO_REUSEADDR, true)
        try Socket.listen(on: socket, address)
        return socket
    }

    func release() { close(socket) }
}
