#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Which exchange is on which socket.
struct ConnectionTable {
    private struct Row {
        let exchange: ObjectIdentifier
        var descriptor: Int32
        /// 0 while the connection is being opened.
        var localPort: UInt16
        /// Whether it is being opened and only bytes of the server's can take it further.
        var waitsForHandshake = false
        var isPaused = false

        /// Whether the client has something to do to open it.
        var isOpening: Bool { localPort == 0 && !waitsForHandshake }
    }
    private var rows: [Row] = []
    private var descriptors: Set<Int32> = []
    private var descriptorOfPort: [UInt16: Int32] = [:]

    mutating func opened(_ descriptor: Int32, for exchange: ObjectIdentifier) {
        descriptors.insert(descriptor)
        if let place = place(of: exchange) {
            // Another address is tried.
            if rows[place].localPort == 0 { rows[place].descriptor = descriptor }
            return
        }
        rows.append(Row(exchange: exchange, descriptor: descriptor, localPort: 0))
    }

    mutating func closed(_ descriptor: Int32) {
        descriptors.remove(descriptor)
        if let (port, _) = descriptorOfPort.first(where: { $0.value == descriptor }) {
            descriptorOfPort[port] = nil
        }
    }

    mutating func sends(_ exchange: ObjectIdentifier, from port: UInt16) {
        let descriptor = descriptor(of: port)
        guard let place = place(of: exchange) else {
            return rows.append(Row(exchange: exchange, descriptor: descriptor, localPort: port))
        }
        rows[place].descriptor = descriptor
        rows[place].localPort = port
    }

    mutating func handshakes(_ descriptor: Int32, waitsForInput: Bool) {
        guard let place = rows.firstIndex(where: { $0.descriptor == descriptor && $0.localPort == 0 }) else {
            return
        }
        rows[place].waitsForHandshake = waitsForInput
    }

    mutating func setPaused(_ exchange: ObjectIdentifier, _ isPaused: Bool) {
        guard let place = place(of: exchange) else { return }
        rows[place].isPaused = isPaused
    }

    mutating func ended(_ exchange: ObjectIdentifier) {
        guard let place = place(of: exchange) else { return }
        rows.swapAt(place, rows.count - 1)
        rows.removeLast()
    }

    /// Each has one row at most.
    private func place(of exchange: ObjectIdentifier) -> Int? {
        rows.firstIndex { $0.exchange == exchange }
    }

    /// Every exchange that has a connection, or is getting one, and whether bytes wait on it.
    func inFlight() -> [LoopActivity.InFlight] {
        var polls = rows.map { row in
            pollfd(fd: row.descriptor, events: Int16(row.isOpening ? POLLOUT : POLLIN), revents: 0)
        }
        poll(&polls, nfds_t(polls.count), 0)
        return zip(rows, polls).map { row, poll in
            // An exchange that is being connected goes on by itself, whatever its socket says.
            let hasInput = row.isOpening || (!row.isPaused && poll.revents != 0)
            let port =
                row.waitsForHandshake && row.localPort == 0
                ? Self.localPort(of: row.descriptor) : row.localPort
            return LoopActivity.InFlight(
                localPort: port,
                hasUnreadInput: hasInput,
                isPaused: row.isPaused
            )
        }
    }

    private mutating func descriptor(of port: UInt16) -> Int32 {
        if let known = descriptorOfPort[port] { return known }
        for descriptor in descriptors where Self.localPort(of: descriptor) == port {
            descriptorOfPort[port] = descriptor
            return descriptor
        }
        return -1
    }

    private static func localPort(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port stands at the same place in both families.
        return result == 0 ? UInt16(bigEndian: address.sin6_port) : 0
    }
}
