import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A server that sends exactly the bytes that a test tells it to; every connection has a thread of its own.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let script: @Sendable (ServerConnection) -> Void
    private let count = Lock(0)

    /// Connections accepted so far.
    var connections: Int { count.withLock { $0 } }
    var url: String { "http://127.0.0.1:\(port)" }

    init(_ script: @escaping @Sendable (ServerConnection) -> Void) {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = Self.bindToAnyPort(listener)
        listen(listener, 64)
        startThread { self.acceptAll() }
    }

    /// Answers each request of a connection with what `answer` makes of its number, from 1, and its head.
    convenience init(answer: @escaping @Sendable (Int, String) -> String) {
        let number = Lock(0)
        self.init { connection in
            while let head = connection.readHead() {
                let current = number.withLock { number in
                    number += 1
                    return number
                }
                connection.send(answer(current, head))
            }
        }
    }

    /// Refuses connections from now on.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                close(listener)
                return
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let connection = ServerConnection(descriptor, number: number)
            startThread { [script] in
                script(connection)
                connection.close()
            }
        }
    }

    private static func bindToAnyPort(_ descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(descriptor, raw, length)
                _ = getsockname(descriptor, raw, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// The server's end of a connection; blocking.
final class ServerConnection: Sendable {
    /// Which connection of the server, from 1.
    let number: Int
    private let descriptor: Int32
    private let buffered = Lock([UInt8]())
    private let isClosed = Lock(false)

    init(_ descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// The next request up to its empty line; `nil` when the client has closed.
    func readHead() -> String? { read { bytes in bytes.headEnd } }

    /// Chunked content up to its last chunk.
    func readChunks() -> String? {
        read { bytes in bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...] ? bytes.count : nil }
    }

    /// The next `count` bytes.
    func read(count: Int) -> String? { read { $0.count >= count ? count : nil } }

    /// Waits until the client closes, throwing away what comes.
    func waitForClose() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes; the number that the client's side took before it closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    func close() {
        let closes = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if closes { _ = Glibc.close(descriptor) }
    }

    /// Closes with RST.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    private func read(until end: ([UInt8]) -> Int?) -> String? {
        var bytes = buffered.withLock { $0 }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = end(bytes) {
                buffered.withLock { $0 = Array(bytes[end...]) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }
}

extension [UInt8] {
    fileprivate var headEnd: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard count >= 4 else { return nil }
        for start in 0...(count - 4) where Array(self[start..<start + 4]) == mark { return start + 4 }
        return nil
    }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startThread(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(&thread, nil, runWork, Unmanaged.passRetained(Work(run)).toOpaque())
    pthread_detach(thread)
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}

/// Holds threads back until it is opened.
final class Gate: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Blocks the thread until the gate is open.
    func wait() {
        var poll = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, -1) < 1 {}
    }

    /// Lets everybody through, from now on.
    func open() { _ = write(ends.write, [1], 1) }
}
