import Cmicrohttpd
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Makes pairs of connected TCP sockets within this process.
///
/// A pair of TCP sockets, unlike one of the Unix domain, can be reset, half-closed and counted like the connection
/// that it stands for.
final class LoopbackPairs: Sendable {
    private let listener: CInt
    private let address: SocketAddress

    init() throws(ServerError) {
        listener = try Socket.listen(try SocketAddress("127.0.0.1", port: 0))
        address = SocketAddress.local(of: listener)
    }

    deinit { close(listener) }

    /// Returns two connected sockets that do not block; `nil` when the system has none left.
    func make() -> (CInt, CInt)? {
        let ours = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard ours >= 0 else { return nil }
        // A connection to a listener of this machine is there at once, before it is accepted.
        guard address.withPointer({ connect(ours, $0, $1) }) == 0 else {
            close(ours)
            return nil
        }
        let port = SocketAddress.local(of: ours).port
        while let (theirs, peer) = SocketAddress.accept(on: listener) {
            // Somebody else may have found the port.
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
