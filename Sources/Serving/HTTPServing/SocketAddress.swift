import CLibrary

/// An IPv4 or IPv6 address with a port.
struct SocketAddress: Sendable {
    let text: String
    let port: UInt16
    private let bytes: [UInt8]

    /// Parses a numeric address; throws `badAddress` for anything else, and `badPort` for a number that is not a port.
    ///
    /// `nil` is any free port to listen on.
    init(_ text: String, port number: Int?) throws(ServerError) {
        guard let port = UInt16(exactly: number ?? 0) else { throw .badPort(number ?? 0) }
        self.text = text
        self.port = port
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            throw .badAddress(text)
        }
    }

    /// Copies an address that the system has returned.
    init(_ storage: sockaddr_storage, length: socklen_t) {
        let all = withUnsafeBytes(of: storage) { Array($0) }
        bytes = Array(all.prefix(Int(length)))
        // The port is at the same offset in both structures, in network byte order.
        port = UInt16(all[2]) << 8 | UInt16(all[3])
        text = ""
    }

    /// Copies an address of a list that the system has returned.
    init(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) {
        var storage = sockaddr_storage()
        let count = min(Int(length), MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: count))
        }
        self.init(storage, length: socklen_t(count))
    }

    /// The address without its port, such as 127.0.0.1 or ::1; empty if the system cannot write it.
    var numericHost: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isWritten = withPointer {
            getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        }
        return isWritten
            ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }

    var family: sa_family_t {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
        }
    }

    /// Returns the address a socket is bound to.
    static func local(of socket: CInt) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &length) }
        }
        return SocketAddress(storage, length: length)
    }

    /// Accepts a connection; `nil` if that fails.
    static func accept(on listener: CInt) -> (socket: CInt, peer: SocketAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let socket = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                CLibrary.accept(listener, $0, &length)
            }
        }
        return socket < 0 ? nil : (socket, SocketAddress(storage, length: length))
    }
}
