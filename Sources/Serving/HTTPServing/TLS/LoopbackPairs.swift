import CLibrary

/// Creates pairs of connected TCP sockets within this process.
///
/// Unlike Unix domain sockets, they can be reset, half-closed and counted like the connection that they represent.
final class LoopbackPairs: Sendable {
    private let listener: CInt
    private let address: SocketAddress

    init() throws(ServerError) {
        listener = try Socket.listen(try SocketAddress("127.0.0.1", port: 0))
        address = SocketAddress.local(of: listener)
    }

    deinit { close(listener) }

    /// Returns two connected non-blocking sockets; `nil` if the system has none left.
    func make() -> (CInt, CInt)? {
        let ours = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard ours >= 0 else { return nil }
        // A loopback connection is established at once, before it is accepted.
        guard address.withPointer({ connect(ours, $0, $1) }) == 0 else {
            close(ours)
            return nil
        }
        let port = SocketAddress.local(of: ours).port
        while let (theirs, peer) = SocketAddress.accept(on: listener) {
            // Another process may have connected to the port.
            guard peer.port == port else {
                close(theirs)
                continue
            }
            Socket.prepare(ours)
            Socket.prepare(theirs)
            return (ours, theirs)
        }
        close(ours)
        return nil
    }
}
