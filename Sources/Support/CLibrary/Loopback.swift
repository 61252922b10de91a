/// Sockets on 127.0.0.1.
package enum Loopback {
    /// Connects a socket to a port; returns whether something listens there.
    package static func connects(_ socket: CInt, to port: UInt16) -> Bool {
        withAddress(port) { address, length in connect(socket, address, length.pointee) == 0 }
    }

    /// Binds a socket to a port that nothing uses, and returns that; `nil` if there is none.
    package static func bindToFreePort(_ socket: CInt) -> UInt16? {
        withAddress(0) { address, length in
            guard bind(socket, address, length.pointee) == 0, getsockname(socket, address, length) == 0 else {
                return nil
            }
            // The port is at the same offset in all addresses of IP, in network byte order.
            return UInt16(bigEndian: UnsafeRawPointer(address).load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    private static func withAddress<Result>(
        _ port: UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}
