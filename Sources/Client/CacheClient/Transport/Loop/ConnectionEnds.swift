import CLibrary

/// The two ends of a connection; a local port alone may belong to connections to several servers.
struct ConnectionEnds: Hashable {
    let localPort: UInt16
    let remotePort: UInt16
    /// The address of the server in its usual form.
    let remoteAddress: String

    init(localPort: UInt16, remotePort: UInt16, remoteAddress: String) {
        self.localPort = localPort
        self.remotePort = remotePort
        self.remoteAddress = remoteAddress
    }

    /// Reads the ends of a connected socket; `nil` for any other.
    init?(of descriptor: Int32) {
        guard let remote = Self.address(of: descriptor, getpeername) else { return nil }
        let family = Int32(remote.sin6_family)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isText = withUnsafeBytes(of: remote) { bytes in
            // `sin_addr` and `sin6_addr`.
            let address = bytes.baseAddress.map { $0 + (family == AF_INET ? 4 : 8) }
            return address.map { inet_ntop(family, $0, &text, socklen_t(text.count)) != nil }
        }
        guard isText == true else { return nil }
        localPort = Self.localPort(of: descriptor)
        remotePort = UInt16(bigEndian: remote.sin6_port)
        remoteAddress = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the port of this machine's end of a socket; 0 if it has none.
    static func localPort(of descriptor: Int32) -> UInt16 {
        // The port is at the same offset in both families.
        address(of: descriptor, getsockname).map { UInt16(bigEndian: $0.sin6_port) } ?? 0
    }

    private static func address(
        of descriptor: Int32,
        _ get: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> sockaddr_in6? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { get(descriptor, $0, &length) }
        }
        return result == 0 ? address : nil
    }
}
