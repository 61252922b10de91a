import CLibrary
import Locks
import Threads

/// A listening socket and the thread that accepts its connections.
///
/// Separate from libmicrohttpd, so that an outage can refuse new connections while the server continues.
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

    /// Listens again after an outage.
    init(
        _ held: ReservedPort,
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
        thread = try SystemThread.serving { [isStopped] in
            Self.accept(on: socket, until: isStopped, onAccept)
        }
    }

    /// Whether the listening socket was closed externally, so that no connections are accepted.
    var isLost: Bool { isStopped.withLock { !$0 && !Socket.isListening(socket) } }

    /// Stops listening; returns when the port is free.
    func stop() {
        isStopped.withLock { $0 = true }
        // Shutting down ends a blocking accept; closing alone does not.
        shutdown(socket, CInt(SHUT_RDWR))
        thread.join()
        close(socket)
    }

    /// Stops listening, and reserves the port.
    func hold() throws(ServerError) -> ReservedPort {
        let held = try ReservedPort(beside: socket)
        stop()
        return held
    }

    private static func accept(
        on socket: CInt,
        until isStopped: Lock<Bool>,
        _ onAccept: (CInt, SocketAddress) -> Void
    ) {
        // Without free descriptors, accepting fails before the end of the socket is noticed.
        while !isStopped.withLock({ $0 }) {
            if let (connection, peer) = SocketAddress.accept(on: socket) {
                Socket.prepare(connection)
                onAccept(connection, peer)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                // The connection stays in the queue; without a pause this would spin until a descriptor is free.
                poll(nil, 0, 10)
            } else if errno == EINVAL || errno == EBADF {
                return
            }
        }
    }
}

/// A reserved port at which connections are refused.
struct ReservedPort: Sendable {
    private let socket: CInt
    private let address: SocketAddress

    /// Reserves the port of a listening socket, which has to be closed next.
    fileprivate init(beside listening: CInt) throws(ServerError) {
        address = SocketAddress.local(of: listening)
        // Only until the other is closed; otherwise a second server could share the port unnoticed.
        Socket.set(listening, SO_REUSEPORT, true)
        defer { Socket.set(listening, SO_REUSEPORT, false) }
        socket = try Socket.bound(to: address, isShared: true)
        Socket.set(socket, SO_REUSEPORT, false)
        // Without listening, another socket that allows reuse could bind the address.
        Socket.set(socket, SO_REUSEADDR, false)
    }

    /// Starts to listen; to be called once, and not after `release()`.
    fileprivate func listen() throws(ServerError) -> CInt {
        // Connections in TIME_WAIT must not block the port for the next server.
        Socket.set(socket, SO_REUSEADDR, true)
        try Socket.listen(on: socket, address)
        return socket
    }

    func release() { close(socket) }
}
