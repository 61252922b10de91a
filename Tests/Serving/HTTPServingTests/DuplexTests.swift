import CLibrary
import Clocks
import Locks
import Testing
import TestSupport

@testable import HTTPServing

/// A listener whose queue is full, so that the system answers no further connection.
private struct FullListener {
    let port: Int
    private var sockets: [CInt] = []

    init() throws {
        let address = try SocketAddress("127.0.0.1", port: 0)
        let socket = Socket.create(for: address)
        sockets = [socket]
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bound = sockaddr_in()
        _ = address.withPointer { bind(socket, $0, $1) }
        let isListening = listen(socket, 0) == 0
        _ = withUnsafeMutableBytes(of: &bound) { bytes in
            bytes.baseAddress.map { getsockname(socket, $0.assumingMemoryBound(to: sockaddr.self), &length) }
        }
        try #require(isListening)
        port = Int(UInt16(bigEndian: bound.sin_port))
        let own = try SocketAddress("127.0.0.1", port: port)
        for _ in 0..<3 {
            let filler = Socket.create(for: own)
            Socket.prepare(filler)
            _ = own.withPointer { CLibrary.connect(filler, $0, $1) }
            sockets.append(filler)
        }
    }

    func close() { for socket in sockets { Socket.closeQuietly(socket) } }
}

@Suite("Connections as streams of bytes", .timeLimit(.minutes(20)), .blocking)
struct DuplexTests {
    private func server(
        limit: Int = 100,
        at address: String = "127.0.0.1",
        _ serve: @escaping @Sendable (DuplexServer.Accepted) async -> Void
    ) throws -> DuplexServer {
        var configuration = DuplexServer.Configuration()
        configuration.connectionLimit = limit
        configuration.address = address
        let server = DuplexServer(configuration, serve: serve)
        try server.start()
        return server
    }

    private static let echo: @Sendable (DuplexServer.Accepted) async -> Void = { accepted in
        while case .bytes(let bytes) = await accepted.stream.read(4096) {
            guard await accepted.stream.write(bytes[...]) else { return }
        }
    }

    /// Runs a task on a loop's thread and returns its value.
    private func on<Value: Sendable>(
        _ loop: DuplexLoop,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            loop.run { continuation.resume(returning: await body()) }
        }
    }

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("A second start throws and opens no other port")
    func secondStart() throws {
        // At 127.0.0.1, or at an address of another test, another server may get the port that is free again.
        let server = try server(at: "127.0.0.22") { _ in }
        let port = server.port
        #expect(throws: ServerError.alreadyStarted) { try server.start() }
        #expect(server.port == port)
        server.stop()
        #expect(throws: (any Error).self) { try RawClient("127.0.0.22", port: port) }
    }

    @Test(
        "Bytes come back unchanged, in pieces below, at and above the capacity",
        arguments: [1, 4096, 50_000]
    )
    func echoed(count: Int) throws {
        let server = try server(serve: Self.echo)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
        for _ in 0..<3 {
            try client.send(bytes)
            #expect(try client.read(count: count) == bytes)
        }
    }

    private func server(serve: @escaping @Sendable (DuplexServer.Accepted) async -> Void) throws
        -> DuplexServer
    {
        try server(limit: 100, serve)
    }

    @Test("Connections are numbered from 1 and have the client's address")
    func accepted() async throws {
        let seen = Lock<[String]>([])
        let server = try server { accepted in
            seen.withLock { $0.append("\(accepted.number) \(accepted.peer.host)") }
        }
        defer { server.stop() }
        for number in 1...3 {
            let client = try RawClient(port: server.port)
            #expect(try client.isAtEnd())
            #expect(seen.withLock { $0.last } == "\(number) 127.0.0.1")
        }
        await waitUntil { server.openConnections == 0 }
    }

    @Test("A writer waits for a slow peer, and all bytes arrive")
    func slowPeer() throws {
        let content = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251) }
        let written = Lock<Bool?>(nil)
        let server = try server { accepted in
            let isWritten = await accepted.stream.write(content[...])
            written.withLock { $0 = isWritten }
            await accepted.stream.endWriting()
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(try client.read(count: 10) == Array(content.prefix(10)))
        #expect(written.withLock { $0 } == nil)
        #expect(try client.readToEnd() == Array(content.dropFirst(10)))
        #expect(written.withLock { $0 } == true)
    }

    @Test("The end of the peer's direction is read after its bytes, and reported to who does not read")
    func hangUp() async throws {
        let seen = Lock<[DuplexStream.Received]>([])
        let hangUps = Lock(0)
        let server = try server { accepted in
            await withCheckedContinuation { continuation in
                accepted.stream.onHangUp {
                    hangUps.withLock { $0 += 1 }
                    continuation.resume()
                }
            }
            for _ in 0..<3 {
                let received = await accepted.stream.read(2)
                seen.withLock { $0.append(received) }
            }
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send([1, 2, 3])
        client.close()
        await waitUntil { seen.withLock { $0.count == 3 } }
        #expect(seen.withLock { $0 } == [.bytes([1, 2]), .bytes([3]), .end])
        #expect(hangUps.withLock { $0 } == 1)
    }

    @Test("A closed connection neither reads nor writes, and closing it again does nothing")
    func closed() async throws {
        let results = Lock<[String]>([])
        let server = try server { accepted in
            accepted.stream.close()
            accepted.stream.close()
            accepted.stream.reset()
            let read = await accepted.stream.read(10)
            let isWritten = await accepted.stream.write([1])
            results.withLock { $0 = ["\(read)", "\(isWritten)", "\(accepted.stream.unacknowledged)"] }
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(try client.isAtEnd())
        await waitUntil { !results.withLock { $0.isEmpty } }
        #expect(results.withLock { $0 } == ["failed", "false", "0"])
    }

    @Test("A reset reaches the client as such")
    func reset() throws {
        let server = try server { accepted in
            _ = await accepted.stream.read(10)
            accepted.stream.reset()
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send("a")
        #expect(throws: RawClient.Failure.self) { try client.isAtEnd() }
    }

    @Test("Interrupting all connections ends those that wait, and accepts later ones")
    func interrupted() async throws {
        let server = try server(serve: Self.echo)
        defer { server.stop() }
        let clients = try (0..<3).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("a")
            _ = try client.read(count: 1)
            return client
        }
        server.interruptAll()
        for client in clients { #expect(try client.isAtEnd()) }
        let later = try RawClient(port: server.port)
        try later.send("b")
        #expect(try later.read(count: 1) == Array("b".utf8))
    }

    @Test("A connection beyond the limit is closed at once, and another accepted when one ends")
    func limit() async throws {
        let server = try server(limit: 1, Self.echo)
        defer { server.stop() }
        let first = try RawClient(port: server.port)
        try first.send("a")
        #expect(try first.read(count: 1) == Array("a".utf8))
        #expect(try RawClient(port: server.port).isAtEnd())
        first.close()
        await waitUntil { server.openConnections == 0 }
        let third = try RawClient(port: server.port)
        try third.send("c")
        #expect(try third.read(count: 1) == Array("c".utf8))
    }

    @Test(
        "A refusing server ends its connections and refuses new ones until it accepts again at the same port"
    )
    func refusing() throws {
        let server = try server(at: "127.0.0.23", Self.echo)
        defer { server.stop() }
        let port = server.port
        let client = try RawClient("127.0.0.23", port: port)
        try client.send("a")
        _ = try client.read(count: 1)
        try server.setRefusing(true)
        try server.setRefusing(true)
        #expect(try client.isAtEnd())
        #expect(throws: RawClient.Failure.self) { try RawClient("127.0.0.23", port: port) }
        try server.setRefusing(false)
        let later = try RawClient("127.0.0.23", port: port)
        try later.send("b")
        #expect(try later.read(count: 1) == Array("b".utf8))
    }

    @Test("Stopping interrupts a task that waits for its peer, and frees the port")
    func stopping() throws {
        let results = Lock<[DuplexStream.Received]>([])
        let server = try server(at: "127.0.0.24") { accepted in
            _ = await accepted.stream.write([1])
            let received = await accepted.stream.read(10)
            results.withLock { $0.append(received) }
        }
        let port = server.port
        let client = try RawClient("127.0.0.24", port: port)
        _ = try client.read(count: 1)
        server.stop()
        server.stop()
        #expect(results.withLock { $0 } == [.end])
        #expect(try client.isAtEnd())
        #expect(server.port == nil)
        #expect(throws: RawClient.Failure.self) { try RawClient("127.0.0.24", port: port) }
    }

    /// A handler that takes connections over, and answers what comes later, each time in a new task.
    private static let later: @Sendable (DuplexServer.Accepted) async -> Void = { accepted in
        accepted.stream.takeOver()
        await answer(accepted.stream)
    }

    private static func answer(_ stream: DuplexStream) async {
        while let received = stream.readNow(4096) {
            guard case .bytes(let bytes) = received, await stream.write(bytes[...]) else {
                return stream.close()
            }
        }
        stream.whenReadable {
            if !stream.loop.run({ await answer(stream) }) { stream.close() }
        }
    }

    @Test("A connection that was taken over stays open without a task, and its bytes and its end start one")
    func takenOver() async throws {
        let server = try server(serve: Self.later)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        for text in ["a", "bc", "d"] {
            try client.send(text)
            #expect(try client.read(count: text.utf8.count) == Array(text.utf8))
            await waitUntil { server.runningTasks == 0 }
            #expect(server.openConnections == 1)
        }
        client.endSending()
        #expect(try client.isAtEnd())
        await waitUntil { server.openConnections == 0 }
    }

    @Test("Stopping closes connections without a task")
    func stopsTakenOver() async throws {
        let server = try server(serve: Self.later)
        let clients = try (0..<3).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("a")
            _ = try client.read(count: 1)
            return client
        }
        await waitUntil { server.runningTasks == 0 }
        server.stop()
        for client in clients { #expect(try client.isAtEnd()) }
        #expect(server.openConnections == 0)
    }

    @Test("A connection is established to the first address that accepts it")
    func connecting() async throws {
        let server = try server(serve: Self.echo)
        defer { server.stop() }
        let refusing = try self.server(serve: Self.echo)
        defer { refusing.stop() }
        try refusing.setRefusing(true)
        let addresses =
            try PeerAddress.resolve("127.0.0.1", port: refusing.port ?? 0)
            + PeerAddress.resolve("127.0.0.1", port: server.port ?? 0)
        let loop = try DuplexLoop()
        try loop.start()
        defer { loop.stop() }
        let text = await on(loop) {
            do throws(ConnectFailure) {
                let stream = try await DuplexStream.connect(
                    to: addresses,
                    on: loop,
                    within: .seconds(30),
                    by: SystemClock()
                )
                defer { stream.close() }
                _ = await stream.write([7, 8])
                return "\(await stream.read(2))"
            } catch {
                return error.description
            }
        }
        #expect(text == "bytes([7, 8])")
    }

    @Test("A server that does not accept the connection is given up after the limit")
    func givesUp() async throws {
        let listener = try FullListener()
        defer { listener.close() }
        let addresses = try PeerAddress.resolve("127.0.0.1", port: listener.port)
        let clock = VirtualClock(wallSeconds: 1_700_000_000)
        let loop = try DuplexLoop()
        try loop.start()
        defer { loop.stop() }
        async let text = on(loop) {
            do throws(ConnectFailure) {
                try await DuplexStream.connect(to: addresses, on: loop, within: .seconds(5), by: clock)
                    .close()
                return "connected"
            } catch {
                return error.description
            }
        }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(5))
        #expect(await text == "no connection within 5.0 seconds")
    }

    @Test("The failure to connect says why", arguments: [true, false])
    func failing(hasAddress: Bool) async throws {
        let refusing = try server(serve: Self.echo)
        defer { refusing.stop() }
        try refusing.setRefusing(true)
        let addresses = hasAddress ? try PeerAddress.resolve("127.0.0.1", port: refusing.port ?? 0) : []
        let loop = try DuplexLoop()
        try loop.start()
        defer { loop.stop() }
        let text = await on(loop) {
            do throws(ConnectFailure) {
                try await DuplexStream.connect(
                    to: addresses,
                    on: loop,
                    within: .seconds(30),
                    by: SystemClock()
                )
                .close()
                return "connected"
            } catch {
                return error.description
            }
        }
        #expect(text == (hasAddress ? "connection refused" : "no address"))
    }

    @Test("A stopped loop runs no tasks")
    func stoppedLoop() throws {
        let loop = try DuplexLoop()
        try loop.start()
        loop.stop()
        #expect(!loop.run {})
    }
}
