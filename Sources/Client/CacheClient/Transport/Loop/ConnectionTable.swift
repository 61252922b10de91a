import CLibrary

/// The sockets of exchanges, by the number of the handle that carries each exchange.
struct ConnectionTable {
    private struct Row {
        /// Whether there is an exchange that has a connection or is opening one.
        var isActive = false
        var descriptor: Int32 = -1
        /// The known ends of the descriptor's connection; `nil` while they are unknown.
        var knownEnds: ConnectionEnds?
        /// 0 while the connection is being opened.
        var localPort: UInt16 = 0
        /// Whether it is being opened and needs bytes from the server to continue.
        var waitsForHandshake = false
        var isPaused = false

        /// Whether the client has something to do to open it.
        var isOpening: Bool { localPort == 0 && !waitsForHandshake }
    }
    private var rows: [Row] = []
    private var descriptors: Set<Int32> = []
    private var descriptorOfEnds: [ConnectionEnds: Int32] = [:]

    mutating func opened(_ descriptor: Int32, for number: Int) {
        descriptors.insert(descriptor)
        makeRoom(for: number)
        // If a connection is already in use, this socket only tries another address.
        guard !rows[number].isActive || rows[number].localPort == 0 else { return }
        rows[number].isActive = true
        rows[number].descriptor = descriptor
        rows[number].knownEnds = nil
    }

    /// Closes a socket at the moment in which its number is removed.
    mutating func closes(_ descriptor: Int32) {
        descriptors.remove(descriptor)
        if let (ends, _) = descriptorOfEnds.first(where: { $0.value == descriptor }) {
            descriptorOfEnds[ends] = nil
        }
        for number in rows.indices where rows[number].descriptor == descriptor {
            rows[number].knownEnds = nil
        }
        close(descriptor)
    }

    /// Records the connection on which an exchange sends its request; returns its descriptor, or -1 if it is unknown.
    mutating func sends(_ number: Int, on ends: ConnectionEnds) -> Int32 {
        makeRoom(for: number)
        rows[number].isActive = true
        rows[number].localPort = ends.localPort
        // Usually it is the connection of the previous exchange.
        if rows[number].knownEnds == ends { return rows[number].descriptor }
        rows[number].descriptor = descriptor(of: ends)
        rows[number].knownEnds = ends
        return rows[number].descriptor
    }

    mutating func handshakes(_ descriptor: Int32, waitsForInput: Bool) {
        let index = rows.firstIndex { $0.isActive && $0.descriptor == descriptor }
        if let index { rows[index].waitsForHandshake = waitsForInput }
    }

    mutating func setPaused(_ number: Int, _ isPaused: Bool) {
        if rows.indices.contains(number) { rows[number].isPaused = isPaused }
    }

    mutating func ended(_ number: Int) {
        guard rows.indices.contains(number) else { return }
        rows[number].isActive = false
        rows[number].localPort = 0
        rows[number].waitsForHandshake = false
        rows[number].isPaused = false
    }

    private mutating func makeRoom(for number: Int) {
        while rows.count <= number { rows.append(Row()) }
    }

    /// Returns every exchange that has a connection or is opening one, and whether bytes wait on it.
    func inFlight() -> [LoopActivity.InFlight] {
        let rows = rows.filter(\.isActive)
        if rows.isEmpty { return [] }
        var polls = rows.map { row in
            pollfd(fd: row.descriptor, events: Int16(row.isOpening ? POLLOUT : POLLIN), revents: 0)
        }
        poll(&polls, nfds_t(polls.count), 0)
        return zip(rows, polls).map { row, poll in
            // An exchange whose connection is being opened continues by itself, regardless of its socket's state.
            let hasInput = row.isOpening || (!row.isPaused && poll.revents != 0)
            let port =
                row.waitsForHandshake && row.localPort == 0
                ? ConnectionEnds.localPort(of: row.descriptor) : row.localPort
            return LoopActivity.InFlight(
                localPort: port,
                hasUnreadInput: hasInput,
                isPaused: row.isPaused
            )
        }
    }

    private mutating func descriptor(of ends: ConnectionEnds) -> Int32 {
        if let known = descriptorOfEnds[ends] { return known }
        for descriptor in descriptors where ConnectionEnds(of: descriptor) == ends {
            descriptorOfEnds[ends] = descriptor
            return descriptor
        }
        return -1
    }
}
