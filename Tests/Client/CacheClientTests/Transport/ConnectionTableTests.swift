import CLibrary
import Locks
import TestSupport
import Testing

@testable import CacheClient

@Suite("The connections of a loop's exchanges", .timeLimit(.minutes(20)))
struct ConnectionTableTests {
    /// A connection to a server, which is closed with this object or by a table.
    private final class Connection {
        let descriptor: Int32
        private let isOwn: Bool

        init(to port: Int, isOwn: Bool = true) throws {
            self.isOwn = isOwn
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { if isOwn { close(descriptor) } }

        var ends: ConnectionEnds? { ConnectionEnds(of: descriptor) }

        func waitForInput() {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = CLibrary.poll(&poll, 1, 60_000)
        }
    }
    /// A table as an object, because expectations cannot change a value.
    private final class Table {
        private var table = ConnectionTable()

        func opened(_ descriptor: Int32, for number: Int) { table.opened(descriptor, for: number) }

        func closes(_ descriptor: Int32) { table.closes(descriptor) }

        func sends(_ number: Int, on ends: ConnectionEnds) -> Int32 { table.sends(number, on: ends) }

        func handshakes(_ descriptor: Int32, waitsForInput: Bool) {
            table.handshakes(descriptor, waitsForInput: waitsForInput)
        }

        func setPaused(_ number: Int, _ isPaused: Bool) { table.setPaused(number, isPaused) }

        func ended(_ number: Int) { table.ended(number) }

        func inFlight() -> [LoopActivity.InFlight] { table.inFlight() }
    }
    private let table = Table()
    private let silent = ScriptedServer { $0.waitForClose() }
    private let talkative = ScriptedServer { connection in
        connection.send("x")
        connection.waitForClose()
    }

    /// The exchanges in flight: the port of each, whether there is something to do, and whether it is paused.
    private var inFlight: [String] {
        table.inFlight().map { exchange in
            "\(exchange.localPort)\(exchange.hasUnreadInput ? " unread" : "")\(exchange.isPaused ? " paused" : "")"
        }
    }

    @Test("A connected socket has the ports of both ends and the address of the other, any other has none")
    func ends() throws {
        let connection = try Connection(to: silent.port)
        let ends = try #require(connection.ends)
        #expect(Int(ends.remotePort) == silent.port)
        #expect(ends.remoteAddress == "127.0.0.1")
        #expect(ends.localPort == ConnectionEnds.localPort(of: connection.descriptor))
        #expect(ends.localPort > 0 && ends.localPort != ends.remotePort)
        #expect(ConnectionEnds(of: -1) == nil)
        #expect(ConnectionEnds.localPort(of: -1) == 0)
        let unconnected = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(unconnected) }
        #expect(ConnectionEnds(of: unconnected) == nil)
    }

    @Test("The address of an IPv6 connection is in its usual form")
    func endsOfIPv6() throws {
        // Connecting such a socket sends nothing.
        let descriptor = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(7).bigEndian
        address.sin6_addr = in6addr_loopback
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        try #require(result == 0)
        let ends = try #require(ConnectionEnds(of: descriptor))
        #expect(ends.remoteAddress == "::1")
        #expect(ends.remotePort == 7)
    }

    @Test(
        "A connection that is being opened continues by itself, except while a handshake waits for the server"
    )
    func opening() throws {
        let connection = try Connection(to: silent.port)
        let port = ConnectionEnds.localPort(of: connection.descriptor)
        #expect(inFlight == [])
        table.opened(connection.descriptor, for: 0)
        #expect(inFlight == ["0 unread"])
        table.handshakes(connection.descriptor, waitsForInput: true)
        #expect(inFlight == ["\(port)"])
        table.handshakes(connection.descriptor, waitsForInput: false)
        #expect(inFlight == ["0 unread"])
        table.ended(0)
        #expect(inFlight == [])
    }

    @Test("A handshake concerns the exchange for which its connection was opened")
    func handshakes() throws {
        let connections = try (0..<3).map { _ in try Connection(to: silent.port) }
        for (number, connection) in connections.enumerated() {
            table.opened(connection.descriptor, for: number)
        }
        table.handshakes(connections[1].descriptor, waitsForInput: true)
        let port = ConnectionEnds.localPort(of: connections[1].descriptor)
        #expect(inFlight == ["0 unread", "\(port)", "0 unread"])
        // A later one on the same connection does not find the earlier exchange waiting.
        table.ended(1)
        table.opened(connections[1].descriptor, for: 1)
        #expect(inFlight == ["0 unread", "0 unread", "0 unread"])
    }

    @Test(
        "An exchange has something to do while there are unread bytes and it is not paused",
        arguments: [true, false]
    )
    func unread(hasInput: Bool) throws {
        let connection = try Connection(to: hasInput ? talkative.port : silent.port)
        if hasInput { connection.waitForInput() }
        let ends = try #require(connection.ends)
        table.opened(connection.descriptor, for: 3)
        #expect(table.sends(3, on: ends) == connection.descriptor)
        let unread = hasInput ? " unread" : ""
        #expect(inFlight == ["\(ends.localPort)\(unread)"])
        table.setPaused(3, true)
        #expect(inFlight == ["\(ends.localPort) paused"])
        table.setPaused(3, false)
        #expect(inFlight == ["\(ends.localPort)\(unread)"])
        table.setPaused(3, true)
        table.ended(3)
        #expect(inFlight == [])
        // The next one is not paused.
        #expect(table.sends(3, on: ends) == connection.descriptor)
        #expect(inFlight == ["\(ends.localPort)\(unread)"])
    }

    @Test("A connection is found by its ends, whichever exchange uses it next, until it is closed")
    func reused() throws {
        let first = try Connection(to: silent.port)
        let second = try Connection(to: silent.port, isOwn: false)
        let (ends, otherEnds) = (try #require(first.ends), try #require(second.ends))
        table.opened(first.descriptor, for: 0)
        table.opened(second.descriptor, for: 1)
        for _ in 0..<2 {
            #expect(table.sends(0, on: ends) == first.descriptor)
            #expect(table.sends(1, on: otherEnds) == second.descriptor)
            table.ended(0)
            table.ended(1)
            #expect(table.sends(1, on: ends) == first.descriptor)
            #expect(table.sends(2, on: otherEnds) == second.descriptor)
            table.ended(1)
            table.ended(2)
        }
        table.closes(second.descriptor)
        for number in 0..<4 { #expect(table.sends(number, on: otherEnds) == -1) }
        #expect(table.sends(0, on: ends) == first.descriptor)
    }

    @Test("A socket for another address of the host does not take the place of a connection in use")
    func otherAddress() throws {
        let (used, other) = (try Connection(to: silent.port), try Connection(to: talkative.port))
        other.waitForInput()
        let ends = try #require(used.ends)
        table.opened(used.descriptor, for: 0)
        _ = table.sends(0, on: ends)
        table.opened(other.descriptor, for: 0)
        #expect(inFlight == ["\(ends.localPort)"])
        // One for the next exchange does.
        table.ended(0)
        table.opened(other.descriptor, for: 0)
        table.handshakes(other.descriptor, waitsForInput: true)
        #expect(inFlight == ["\(ConnectionEnds.localPort(of: other.descriptor)) unread"])
    }

    @Test("An attempt at another address takes the place of the first, as long as nothing is connected")
    func nextAddress() throws {
        let (first, second) = (try Connection(to: silent.port), try Connection(to: silent.port))
        table.opened(first.descriptor, for: 0)
        table.opened(second.descriptor, for: 0)
        table.handshakes(second.descriptor, waitsForInput: true)
        #expect(inFlight == ["\(ConnectionEnds.localPort(of: second.descriptor))"])
    }

    @Test("Closing removes the socket and closes it")
    func closes() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        table.opened(ends[0], for: 0)
        table.closes(ends[0])
        var byte: UInt8 = 0
        #expect(recv(ends[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test("Exchanges that never had a connection may be paused and may end")
    func unknown() {
        table.setPaused(7, true)
        table.ended(7)
        #expect(inFlight == [])
    }

    @Test("An idle connection is clean unless bytes or its end have arrived, RFC 9112 §6.3, §9.2")
    func idle() throws {
        let (connection, other) = (try Connection(to: silent.port), try Connection(to: talkative.port))
        other.waitForInput()
        let closed = try Connection(to: ScriptedServer { _ in }.port)
        closed.waitForInput()
        #expect(IdleConnection.isClean(connection.descriptor))
        #expect(!IdleConnection.isClean(other.descriptor))
        #expect(!IdleConnection.isClean(closed.descriptor))
        #expect(!IdleConnection.isClean(-1))
        // The byte is still there.
        #expect(!IdleConnection.isClean(other.descriptor))
    }
}
