import CLibrary

/// Transfers bytes between the two connections, on the relay's thread.
extension TLSTunnel {
    enum Progress {
        case moved
        case waits
        /// The connection has ended orderly.
        case over
        /// The connection has ended with a reset.
        case reset
    }

    /// Transfers a limited number of bytes, so that other connections are served.
    func move() -> Progress {
        for _ in 0..<32 {
            let toClient = moveToClient()
            if case .over = toClient { return .over }
            if case .reset = toClient { return .reset }
            let toServer = moveToServer()
            if case .over = toServer { return .over }
            if case .reset = toServer { return .reset }
            if case .waits = toClient, case .waits = toServer { return .waits }
        }
        return .moved
    }

    private func moveToClient() -> Progress {
        switch phase {
        case .handshake, .refused: return .waits
        case .open: break
        case .ending: return sayEnd()
        case .ended: return isReleased || hasClientEnded ? .over : .waits
        }
        if !outbound.isEmpty { return sendToClient() }
        // Set before the bytes are read: a check for complete delivery must see them on either side.
        setCarrying(true)
        switch Socket.receive(plain) {
        case .bytes(let bytes):
            outbound = bytes[...]
            return sendToClient()
        case .nothing:
            setCarrying(false)
            return .waits
        case .end:
            phase = .ending
            return .moved
        case .failed: return .reset
        }
    }

    private func sendToClient() -> Progress {
        switch session.send(outbound) {
        case .bytes(let count):
            outbound = outbound.dropFirst(count)
            wantsOutput = false
            return .moved
        case .wants:
            wantsOutput = true
            return .waits
        case .failed: return .reset
        }
    }

    private func sayEnd() -> Progress {
        if isCut { return .over }
        switch session.sayEnd() {
        case .done: break
        case .wants:
            wantsOutput = true
            return .waits
        case .failed: return .over
        }
        wantsOutput = false
        shutdown(secure, CInt(SHUT_WR))
        setCarrying(false)
        phase = .ended
        return .moved
    }

    private func moveToServer() -> Progress {
        guard phase != .handshake, phase != .refused, !hasClientEnded else { return .waits }
        if !inbound.isEmpty { return sendToServer() }
        switch session.receive() {
        case .bytes(let bytes):
            inbound = bytes[...]
            return sendToServer()
        case .wants: return .waits
        case .end:
            hasClientEnded = true
            shutdown(plain, CInt(SHUT_WR))
            return .moved
        case .failed: return .reset
        }
    }

    private func sendToServer() -> Progress {
        switch Socket.send(plain, inbound) {
        case .bytes(let count):
            inbound = inbound.dropFirst(count)
            return .moved
        case .full: return .waits
        case .failed:
            // The client no longer reads; earlier output of the server is still sent.
            inbound = []
            hasClientEnded = true
            return .moved
        }
    }
}
