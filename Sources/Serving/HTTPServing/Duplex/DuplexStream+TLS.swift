/// TLS within a connection.
extension DuplexStream {
    /// Performs a handshake, after which bytes are read and written within TLS.
    ///
    /// A client verifies the certificate for `serverName`, a host name or a numeric address. Returns why it failed, in
    /// which case the peer has been sent the alert and the connection is of no more use; `nil` after a success.
    package func startTLS(_ credentials: TLSCredentials, serverName: String? = nil) async -> String? {
        guard let session = TLSSession(credentials, socket: socket, serverName: serverName) else {
            return "no memory"
        }
        while isOpen {
            switch session.handshake() {
            case .done:
                use(session)
                return nil
            case .failed(let reason): return reason
            case .wants(output: true): await waitForRoom()
            case .wants(output: false): await waitForNews()
            }
        }
        return "the connection was closed"
    }

    /// Waits until some bytes of a client's first TLS record have been received, at least one, and leaves them unread.
    ///
    /// These are `count` bytes, or a share of the record, 0 to 1. Returns at once when the peer has ended, or sends
    /// something else.
    package func waitForHello(count: Int = 1, share: Double = 0) async {
        while isOpen, !hasHungUp {
            if let first = Socket.firstByte(socket), first != 0x16 { return }
            let size = Socket.helloSize(socket)
            let most = size ?? (share > 0 ? 5 : count)
            let wanted = max(1, count, size.map { Int(Double($0) * share) } ?? most)
            if Socket.unreadCount(socket) >= min(wanted, most) { return }
            await waitForNews()
        }
    }

    /// Sends the alert that ends the direction (RFC 8446 §6.1), unless the peer does not take it.
    func sayEnd(_ session: TLSSession) async {
        while isOpen, !Task.isCancelled {
            guard case .wants(output: true) = session.sayEnd() else { return }
            await waitForRoom()
        }
    }
}

extension TLSSession {
    func received() -> Socket.Received {
        switch receive() {
        case .bytes(let bytes): .bytes(bytes)
        case .wants: .nothing
        case .end: .end
        case .failed: .failed
        }
    }

    func sent(_ bytes: ArraySlice<UInt8>) -> Socket.Sent {
        switch send(bytes) {
        case .bytes(let count): .bytes(count)
        case .wants: .full
        case .failed: .failed
        }
    }
}
