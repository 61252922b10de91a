import CLibrary
package import Clocks

/// The reason why a connection could not be established.
package struct ConnectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause, such as "connection refused".
    package let description: String

    package init(_ description: String) { self.description = description }

    init(code: CInt) { self.init(String(cString: strerror(code)).lowercased()) }
}

extension DuplexStream {
    /// Connects to the first address that accepts a connection within `limit`.
    package static func connect(
        to addresses: [PeerAddress],
        on loop: DuplexLoop,
        within limit: Duration,
        by clock: any TimeSource
    ) async throws(ConnectFailure) -> DuplexStream {
        var failure = ConnectFailure("no address")
        for address in addresses {
            do throws(ConnectFailure) {
                let stream = try begin(to: address.address, on: loop)
                try await stream.finishConnecting(within: limit, by: clock)
                return stream
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Begins to connect; the stream can be written to once that has succeeded.
    private static func begin(
        to address: SocketAddress,
        on loop: DuplexLoop
    ) throws(ConnectFailure) -> DuplexStream {
        let socket = Socket.create(for: address)
        guard socket >= 0 else { throw ConnectFailure(code: errno) }
        Socket.prepare(socket)
        let result = address.withPointer { CLibrary.connect(socket, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            defer { Socket.closeQuietly(socket) }
            throw ConnectFailure(code: errno)
        }
        guard let stream = DuplexStream(socket, on: loop) else { throw ConnectFailure(code: ENOMEM) }
        return stream
    }

    private func finishConnecting(within limit: Duration, by clock: any TimeSource)
        async throws(ConnectFailure)
    {
        var failure: ConnectFailure?
        // Asking for the state of a failed socket removes its error, so that it is asked for once.
        switch Socket.connectionState(socket) {
        case .established: return
        case .failed(let code): failure = ConnectFailure(code: code)
        case .connecting:
            let late = ConnectFailure("no connection within \(limit)")
            failure = await perform(within: limit, by: clock) { await waitUntilConnected() } ?? late
        }
        guard let failure else { return }
        close()
        throw failure
    }

    /// Returns the reason why the connection failed; `nil` if it did not.
    private func waitUntilConnected() async -> ConnectFailure? {
        while !Task.isCancelled {
            await waitForRoom()
            switch Socket.connectionState(socket) {
            case .established: return nil
            case .connecting: break
            case .failed(let code): return ConnectFailure(code: code)
            }
        }
        return ConnectFailure("stopped")
    }
}

/// A numeric address of a peer with its port.
package struct PeerAddress: Sendable {
    let address: SocketAddress

    /// The address without its port, such as 127.0.0.1 or ::1.
    package var host: String { address.numericHost }

    /// Returns the addresses of a host name or a numeric address; blocks while the system asks its name servers.
    package static func resolve(_ host: String, port: Int) throws(ConnectFailure) -> [PeerAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Socket.streamType
        hints.ai_family = AF_UNSPEC
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &first)
        guard code == 0, let first else {
            throw ConnectFailure("\(host): " + String(cString: gai_strerror(code)).lowercased())
        }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.compactMap { info in
            info.pointee.ai_addr.map { address in
                PeerAddress(address: SocketAddress(address, length: info.pointee.ai_addrlen))
            }
        }
    }
}
