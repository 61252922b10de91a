#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why a connection could not be established.
package struct ConnectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause, such as "connection refused".
    package let description: String

    package init(_ description: String) { self.description = description }

    init(code: CInt) { self.init(String(cString: strerror(code)).lowercased()) }
}

extension DuplexStream {
    /// Connects to the first address that accepts a connection.
    package static func connect(
        to addresses: [PeerAddress],
        on loop: DuplexLoop
    ) async throws(ConnectFailure) -> DuplexStream {
        var failure = ConnectFailure("no address")
        for address in addresses {
            do throws(ConnectFailure) {
                return try await connect(to: address.address, on: loop)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func connect(
        to address: SocketAddress,
        on loop: DuplexLoop
    ) async throws(ConnectFailure) -> DuplexStream {
        let socket = Socket.create(for: address)
        guard socket >= 0 else { throw ConnectFailure(code: errno) }
        Socket.prepare(socket)
        let result = address.withPointer { Glibc.connect(socket, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            defer { Socket.closeQuietly(socket) }
            throw ConnectFailure(code: errno)
        }
        guard let stream = DuplexStream(socket, on: loop) else { throw ConnectFailure(code: ENOMEM) }
        if result != 0 { try await stream.finishConnecting() }
        return stream
    }

    private func finishConnecting() async throws(ConnectFailure) {
        while true {
            switch Socket.connectionState(socket) {
            case .established: return
            case .connecting: await waitForRoom()
            case .failed(let code):
                close()
                throw ConnectFailure(code: code)
            }
            if Task.isCancelled {
                close()
                throw ConnectFailure("stopped")
            }
        }
    }
}

/// A numeric address of a peer with its port.
package struct PeerAddress: Sendable {
    let address: SocketAddress

    /// The address without its port, such as 127.0.0.1 or ::1.
    package var host: String { address.numericHost }

    /// Returns the addresses of a host name or a numeric address; blocks while the system asks its name servers.
    package static func resolve(_ host: String, port: UInt16) throws(ConnectFailure) -> [PeerAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Socket.streamType
        hints.ai_family = AF_UNSPEC
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &first)
        guard code == 0 else {
            throw ConnectFailure("\(host): " + String(cString: gai_strerror(code)).lowercased())
        }
        defer { freeaddrinfo(first) }
        var addresses: [PeerAddress] = []
        var next = first
        while let info = next?.pointee {
            if let pointer = info.ai_addr {
                addresses.append(PeerAddress(address: SocketAddress(pointer, length: info.ai_addrlen)))
            }
            next = info.ai_next
        }
        return addresses
    }
}
