/// Sockets on 127.0.0.1.
package enum Loopback {
    /// Connects a socket to a port; returns whether something listens there.
    package static func connects(_ socket: CInt, to port: UInt16) -> Bool {
        withAddress(port) { address, length in connect(socket, address, length.pointee) == 0 }
    }

    /// Binds a socket to a port that nothing uses, and returns that; `nil` if there is none.
    package static func bindToFreePort(_ socket: CInt) -> UInt16? { bindSocket(socket, to: 0) }

    /// Returns a port that nothing uses, for a program that is still to be started; `nil` if there is none.
    ///
    /// It is below the ports that the system assigns by itself, one of which could be assigned to a connection or
    /// another server before the program has started, and above those that browsers refuse (WHATWG Fetch, "Port
    /// blocking").
    package static func freePort() -> UInt16? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        let range: Range<UInt16> = 10_081..<20_000
        let isBelow = firstAssignedPort.map { range.upperBound <= $0 } ?? false
        for _ in 0..<64 where isBelow {
            if let port = bindSocket(descriptor, to: .random(in: range)) { return port }
        }
        return bindToFreePort(descriptor)
    }

    /// The lowest port that the system assigns to a socket without one; `nil` if it does not report it.
    private static var firstAssignedPort: UInt16? {
        let file = open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        let digits = bytes.prefix(max(count, 0)).prefix {
            $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: " ")
        }
        return UInt16(String(decoding: digits, as: UTF8.self))
    }

    /// Binds a socket to a port, or to a free one for 0, and returns that; `nil` if it is used.
    private static func bindSocket(_ socket: CInt, to port: UInt16) -> UInt16? {
        withAddress(port) { address, length in
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
